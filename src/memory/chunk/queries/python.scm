(function_definition name: (identifier) @name) @definition
(class_definition name: (identifier) @name) @container
(decorated_definition definition: (function_definition name: (identifier) @name)) @definition
(decorated_definition definition: (class_definition name: (identifier) @name)) @container
(module (expression_statement (assignment left: (identifier) @name)) @definition)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition))
(type_alias_statement left: (type) @name) @definition

(comment) @comment
(string (string_content) @string)

(import_statement name: [(dotted_name) @import (aliased_import name: (dotted_name) @import)])
(import_from_statement module_name: (_) @import)
; What is imported may be a module itself, whose name is in lower case by convention.
(import_from_statement
  module_name: (_) @import
  name: [(dotted_name) @member (aliased_import name: (dotted_name) @member)]
  (#match? @member "^[a-z0-9_]+$"))
