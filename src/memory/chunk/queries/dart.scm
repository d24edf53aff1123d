(class_definition name: (identifier) @name) @container
(mixin_declaration (identifier) @name) @container
(extension_declaration name: (identifier) @name) @container
(enum_declaration name: (identifier) @name) @container
(type_alias . (type_identifier) @name) @definition
; A body is no part of its signature's node, but the node after it.
((method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (constructor_signature name: (identifier) @name .)
    (factory_constructor_signature (identifier) @name .)
  ]) @definition . (function_body) @body)
((function_signature name: (identifier) @name) @definition . (function_body) @body)
(declaration (constructor_signature name: (identifier) @name)) @definition
(declaration (function_signature name: (identifier) @name)) @definition
(static_final_declaration (identifier) @name) @definition

[(comment) (documentation_comment)] @comment
(annotation) @leading
(string_literal) @string
