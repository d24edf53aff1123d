(class_declaration name: (identifier) @name) @container
(struct_declaration name: (identifier) @name) @container
(interface_declaration name: (identifier) @name) @container
(record_declaration name: (identifier) @name) @container
(enum_declaration name: (identifier) @name) @definition
(delegate_declaration name: (identifier) @name) @definition
(method_declaration name: (identifier) @name) @definition
(constructor_declaration name: (identifier) @name) @definition
(destructor_declaration name: (identifier) @name) @definition
(property_declaration name: (identifier) @name) @definition
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition
(event_declaration name: (identifier) @name) @definition
(local_function_statement name: (identifier) @name) @definition
(field_declaration
  (modifier) @_modifier
  (variable_declaration (variable_declarator name: (identifier) @name))
  (#any-of? @_modifier "const" "static")) @definition

(comment) @comment
(string_literal (string_literal_content) @string)
(interpolated_string_expression (string_content) @string)
[(verbatim_string_literal) (raw_string_literal)] @string
