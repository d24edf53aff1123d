(class_declaration name: (identifier) @name) @container
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition
(field_definition "static" property: (_) @name) @definition
