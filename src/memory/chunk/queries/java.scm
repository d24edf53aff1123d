(class_declaration name: (identifier) @name) @container
(interface_declaration name: (identifier) @name) @container
(enum_declaration name: (identifier) @name) @container
(record_declaration name: (identifier) @name) @container
(annotation_type_declaration name: (identifier) @name) @container
(annotation_type_element_declaration name: (identifier) @name) @definition
(method_declaration name: (identifier) @name) @definition
(constructor_declaration name: (identifier) @name) @definition
(compact_constructor_declaration name: (identifier) @name) @definition
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @definition
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition

[(line_comment) (block_comment)] @comment
(string_literal) @string
