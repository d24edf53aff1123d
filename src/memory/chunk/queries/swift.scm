(class_declaration name: (_) @name) @container
(protocol_declaration name: (_) @name) @container
(function_declaration name: (simple_identifier) @name) @definition
(protocol_function_declaration name: (simple_identifier) @name) @definition
(init_declaration "init" @name) @definition
(deinit_declaration "deinit" @name) @definition
(subscript_declaration "subscript" @name) @definition
(typealias_declaration . name: (type_identifier) @name) @definition
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition)

[(comment) (multiline_comment)] @comment
[(line_str_text) (multi_line_str_text)] @string

(import_declaration (identifier) @import)
