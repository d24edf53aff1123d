(class name: [(constant) (scope_resolution)] @name) @container
(module name: [(constant) (scope_resolution)] @name) @container
(method name: (_) @name) @definition
(singleton_method name: (_) @name) @definition
(assignment left: (constant) @name) @definition

(comment) @comment
(string (string_content) @string)
(heredoc_body (heredoc_content) @string)
