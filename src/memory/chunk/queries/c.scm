(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator (function_declarator declarator: (identifier) @name))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name)))
  ]) @definition
(struct_specifier name: (type_identifier) @name body: (_)) @definition
(union_specifier name: (type_identifier) @name body: (_)) @definition
(enum_specifier name: (type_identifier) @name body: (_)) @definition
(type_definition declarator: (type_identifier) @name) @definition
(preproc_def name: (identifier) @name value: (_)) @definition
(preproc_function_def name: (identifier) @name) @definition
(translation_unit
  (declaration
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (pointer_declarator (identifier) @name)
        (array_declarator declarator: (identifier) @name)
        (array_declarator (pointer_declarator (identifier) @name))
        (pointer_declarator (array_declarator (identifier) @name))
      ])) @definition)

(comment) @comment
(string_literal) @string
