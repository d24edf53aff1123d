(function_signature name: (identifier) @name) @definition
(class_declaration name: (type_identifier) @name) @container
(abstract_class_declaration name: (type_identifier) @name) @container
(interface_declaration name: (type_identifier) @name) @container
(internal_module name: (_) @name) @container
(module name: (_) @name) @container
(type_alias_declaration name: (type_identifier) @name) @definition
(enum_declaration name: (identifier) @name) @definition
(method_signature name: (_) @name) @definition
(abstract_method_signature name: (_) @name) @definition
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @definition
(public_field_definition "static" name: (_) @name) @definition
(export_statement
  declaration: (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: [(as_expression (object)) (satisfies_expression (object))]))) @container
(program
  (lexical_declaration
    (variable_declarator name: (identifier) @name value: [(as_expression) (satisfies_expression)])) @definition)
