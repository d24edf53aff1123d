(function_definition
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator (function_declarator declarator: (_) @name))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (_) @name)))
    (reference_declarator (function_declarator declarator: (_) @name))
  ]) @definition
(class_specifier name: (_) @name body: (_)) @container
(struct_specifier name: (_) @name body: (_)) @container
(union_specifier name: (_) @name body: (_)) @definition
(enum_specifier name: (_) @name body: (_)) @definition
(namespace_definition name: (_) @name) @container
(concept_definition name: (identifier) @name) @definition
(field_declaration
  declarator: [
    (function_declarator declarator: (_) @name)
    (pointer_declarator (function_declarator declarator: (_) @name))
    (reference_declarator (function_declarator declarator: (_) @name))
  ]) @definition
(type_definition declarator: (type_identifier) @name) @definition
(alias_declaration name: (type_identifier) @name) @definition
(preproc_def name: (identifier) @name value: (_)) @definition
(preproc_function_def name: (identifier) @name) @definition
(translation_unit
  (declaration
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (pointer_declarator (identifier) @name)
        (array_declarator declarator: (identifier) @name)
      ])) @definition)

(comment) @comment
(template_declaration parameters: (_) @leading)
[(string_literal) (raw_string_literal)] @string
