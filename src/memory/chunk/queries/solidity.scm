(contract_declaration name: (identifier) @name) @container
(interface_declaration name: (identifier) @name) @container
(library_declaration name: (identifier) @name) @container
(function_definition name: (identifier) @name) @definition
(modifier_definition name: (identifier) @name) @definition
(event_definition name: (identifier) @name) @definition
(error_declaration name: (identifier) @name) @definition
(struct_declaration name: (identifier) @name) @definition
(enum_declaration name: (identifier) @name) @definition
(state_variable_declaration name: (identifier) @name) @definition

(comment) @comment
(string) @string
