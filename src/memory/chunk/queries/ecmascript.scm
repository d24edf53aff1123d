(function_declaration name: (identifier) @name) @definition
(generator_function_declaration name: (identifier) @name) @definition
(method_definition name: (_) @name) @definition
(pair key: (_) @name value: [(arrow_function) (function_expression)]) @definition
(pair
  key: (_) @name
  value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])])) @container
(lexical_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @definition
(variable_declaration
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)])) @definition
(lexical_declaration (variable_declarator name: (identifier) @name value: (class))) @container
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @definition
(export_statement
  declaration: (lexical_declaration (variable_declarator name: (identifier) @name value: (object)))) @container
(program
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: [(array) (new_expression) (number) (string) (template_string) (regex)])) @definition)
(program
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name
      value: (call_expression function: [(member_expression) (identifier)] @_called)
      (#not-eq? @_called "require"))) @definition)
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (object))) @container)
(expression_statement
  (assignment_expression
    left: [(identifier) (member_expression)] @name
    right: [(arrow_function) (function_expression) (class)])) @definition
(program
  (expression_statement
    (assignment_expression
      left: (member_expression) @name
      right: (object)
      (#not-eq? @name "module.exports"))) @container)
(expression_statement
  (call_expression arguments: (arguments [(arrow_function) (function_expression) (generator_function)]))) @call
(expression_statement
  (await_expression
    (call_expression arguments: (arguments [(arrow_function) (function_expression) (generator_function)])))) @call

(comment) @comment
(decorator) @leading
(string (string_fragment) @string)
(template_string (string_fragment) @string)
