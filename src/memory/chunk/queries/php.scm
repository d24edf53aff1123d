(class_declaration name: (name) @name) @container
(interface_declaration name: (name) @name) @container
(trait_declaration name: (name) @name) @container
(enum_declaration name: (name) @name) @container
(method_declaration name: (name) @name) @definition
(function_definition name: (name) @name) @definition
(const_declaration (const_element (name) @name)) @definition
(expression_statement
  (function_call_expression arguments: (arguments (argument [(anonymous_function) (arrow_function)])))) @call

(comment) @comment
(attribute_list) @leading
(string (string_content) @string)
(encapsed_string (string_content) @string)
(heredoc_body (string_content) @string)
