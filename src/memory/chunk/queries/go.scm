(function_declaration name: (identifier) @name) @definition
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @scope
        (generic_type type: (type_identifier) @scope)
        (pointer_type (type_identifier) @scope)
        (pointer_type (generic_type type: (type_identifier) @scope))
      ]))
  name: (field_identifier) @name) @definition
(type_declaration . (type_spec name: (type_identifier) @name) .) @definition
(type_declaration "(" (type_spec name: (type_identifier) @name) @definition)
(type_declaration (type_alias name: (type_identifier) @name)) @definition
(method_elem name: (field_identifier) @name) @definition
(source_file (const_declaration (const_spec name: (identifier) @name)) @definition)
(source_file (var_declaration (var_spec name: (identifier) @name)) @definition)
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name))) @definition)

(comment) @comment
[(interpreted_string_literal) (raw_string_literal)] @string
