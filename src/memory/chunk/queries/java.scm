(class_declaration name: (identifier) @name) @container
(interface_declaration name: (identifier) @name) @container
(enum_declaration name: (identifier) @name) @container
(record_declaration name: (identifier) @name) @container
(annotation_type_declaration name: (identifier) @name) @container
(method_declaration name: (identifier) @name) @definition
(constructor_declaration name: (identifier) @name) @definition
(compact_constructor_declaration name: (identifier) @name) @definition

[(line_comment) (block_comment)] @comment
(string_literal) @string
