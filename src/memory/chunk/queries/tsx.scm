(function_declaration name: (identifier) @name) @definition
(generator_function_declaration name: (identifier) @name) @definition
(function_signature name: (identifier) @name) @definition
(class_declaration name: (type_identifier) @name) @container
(abstract_class_declaration name: (type_identifier) @name) @container
(interface_declaration name: (type_identifier) @name) @container
(internal_module name: (_) @name) @container
(module name: (_) @name) @container
(type_alias_declaration name: (type_identifier) @name) @definition
(enum_declaration name: (identifier) @name) @definition
(method_definition name: (_) @name) @definition
(abstract_method_signature name: (_) @name) @definition
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @definition
(pair key: (_) @name value: [(arrow_function) (function_expression)]) @definition
(lexical_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @definition
(variable_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @definition
(lexical_declaration (variable_declarator name: (identifier) @name value: (class))) @container
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @definition
(expression_statement
  (assignment_expression
    left: [(identifier) (member_expression)] @name
    right: [(arrow_function) (function_expression) (class)])) @definition

(comment) @comment
(decorator) @leading
(string (string_fragment) @string)
(template_string (string_fragment) @string)
(jsx_text) @string
