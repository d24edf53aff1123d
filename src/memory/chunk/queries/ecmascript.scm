(function_declaration name: (identifier) @name) @definition
(generator_function_declaration name: (identifier) @name) @definition
(method_definition name: (_) @name) @definition
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
(string (string_fragment) @string)
(template_string (string_fragment) @string)
