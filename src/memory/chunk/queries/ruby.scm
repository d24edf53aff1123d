(class name: [(constant) (scope_resolution)] @name) @container
(module name: [(constant) (scope_resolution)] @name) @container
(method name: (_) @name) @definition
(singleton_method name: (_) @name) @definition
(assignment left: (constant) @name) @definition
(call
  method: (identifier) @_called
  arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_called "define_method" "scope" "alias_method")) @definition
(call block: (do_block)) @call

(comment) @comment
(string (string_content) @string)
(heredoc_body (heredoc_content) @string)
