(function_definition name: (identifier) @name) @definition
(class_definition name: (identifier) @name) @container
(decorated_definition definition: (function_definition name: (identifier) @name)) @definition
(decorated_definition definition: (class_definition name: (identifier) @name)) @container
(module (expression_statement (assignment left: (identifier) @name)) @definition)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition))
(type_alias_statement left: (type) @name) @definition

(comment) @comment
(string (string_content) @string)
