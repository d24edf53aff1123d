(function_item name: (identifier) @name) @definition
(function_signature_item name: (identifier) @name) @definition
(macro_definition name: (identifier) @name) @definition
(struct_item name: (type_identifier) @name) @definition
(enum_item name: (type_identifier) @name) @definition
(union_item name: (type_identifier) @name) @definition
(type_item name: (type_identifier) @name) @definition
(const_item name: (identifier) @name) @definition
(static_item name: (identifier) @name) @definition
(trait_item name: (type_identifier) @name) @container
(impl_item
  type: [
    (type_identifier) @name
    (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (type_identifier) @name)])
    (scoped_type_identifier name: (type_identifier) @name)
    (reference_type type: [(type_identifier) @name (generic_type type: (type_identifier) @name)])
    (primitive_type) @name
  ]) @container
(mod_item name: (identifier) @name body: (_)) @container

[(line_comment) (block_comment)] @comment
(attribute_item) @leading
[(string_literal) (raw_string_literal)] @string
