import type { Node } from 'web-tree-sitter';
import { getGrammar, withTree } from './grammar.ts';
import globals from './language-globals.json' with { type: 'json' };
import { detectGrammar, type GrammarLanguage } from './languages.ts';

/** Effect of a change on a file's syntax and names. */
export interface ChangeCheck {
  /** Syntax errors that the file has more than before. */
  newErrors: number;
  /** Names that changed lines use and that nothing visible to them in the file defines, without globals of the language. */
  undefinedNames: string[];
  /** Members of `this` or `self` that changed lines use and that occur nowhere else in the file. */
  unknownMembers: string[];
  /** Names that the file defined before and no longer does. */
  removedNames: string[];
}

/** An occurrence of an identifier. */
interface Occurrence {
  name: string;
  row: number;
  /** Enclosing functions, outermost first. */
  scope: readonly number[];
  isBinding: boolean;
  /** A member access; `self` for members of the object itself. */
  member: false | 'other' | 'self';
}

const IDENTIFIERS = new Set([
  ...['identifier', 'type_identifier', 'constant', 'name', 'variable_name', 'package_identifier'],
  ...['shorthand_property_identifier', 'shorthand_property_identifier_pattern'],
  ...['property_identifier', 'private_property_identifier', 'field_identifier'],
]);
/** Node types whose later children are members of the first. */
const MEMBER =
  /^(?:attribute|member_expression|field_expression|field_access|member_access_expression|member_call_expression|nullsafe_member_access_expression|selector_expression|scoped_identifier|scoped_type_identifier|scoped_call_expression|scope_resolution|qualified_identifier|qualified_type|class_constant_access_expression)$/;
const FUNCTION =
  /^(?:function|(?:generator_)?function_(?:definition|declaration|item|expression)|function_signature|generator_function|method_definition|method_declaration|constructor_declaration|method|singleton_method|lambda|lambda_expression|lambda_literal|closure_expression|arrow_function|func_literal|anonymous_function\w*|local_function_statement)$/;
const CLASS = /^(?:class_body|class_definition|class_declaration|class)$/;
const NAMED =
  /definition|declaration|declarator|_item$|class|function|method|parameter|specifier|alias|enumerator|macro|preproc|_spec$|module|namespace|trait|interface|named_expression|enhanced_for|foreach/;
/** Nodes that bind every name below them, unless it is a value, a type or a body. */
const BINDING =
  /parameter|^import|_import|import_|use_declaration|use_list|use_clause|as_pattern_target|global_statement|nonlocal_statement|exception_variable|_pattern$|pattern_list|^var_spec$|^const_spec$/;
const LEFT =
  /assignment|^for|short_var|range_clause|named_expression|comprehension|for_in|let_|var_declaration/;
const NOT_BINDING_FIELDS =
  /^(?:value|right|type|body|arguments|index|object|condition|return_type|superclasses|default|default_value|initializer|consequence|alternative|subscript|iterable)$/;
/** A key of a literal or a named argument. */
const KEY = /^(?:keyword_argument|named_argument|name_colon)$/;
const SELF = new Set(['this', 'self', '@']);
const SHARED_GLOBALS: Partial<Record<GrammarLanguage, keyof typeof globals>> = {
  typescript: 'javascript',
  tsx: 'javascript',
  cpp: 'c',
};

/**
 * Compares two versions of a file for new syntax errors and for names in changed lines that are not defined. Scopes are
 * functions. Null without a grammar or beyond the budget.
 */
export async function checkChange(path: string, before: string, after: string): Promise<ChangeCheck | null> {
  const language = detectGrammar(path, after);
  if (language === null || language === 'css') return null;
  const grammar = await getGrammar(language);
  const read = (text: string) => withTree(grammar, text, ({ rootNode }) => readOccurrences(rootNode));
  const old = before === '' ? { found: [], errors: 0 } : read(before);
  const own = read(after);
  if (!old || !own) return null;
  const isChanged = changedRows(before, after);
  const isRemoved = changedRows(after, before);
  const key = SHARED_GLOBALS[language] ?? language;
  const known = new Set<string>(key in globals ? globals[key as keyof typeof globals] : []);
  const bound = new Set(own.found.filter(({ isBinding }) => isBinding).map(({ name }) => name));
  const unbound = new Set(
    old.found
      .filter(({ isBinding, row, name }) => isBinding && isRemoved(row) && !bound.has(name))
      .map(({ name }) => name),
  );
  const changed = own.found.filter(({ row, isBinding }) => isChanged(row) && !isBinding);
  const undefinedNames = changed
    .filter(({ member, name }) => !member && !known.has(name))
    .filter((use) => unbound.has(use.name) || !own.found.some((one) => defines(one, use, isChanged)));
  // Unchanged lines that use what the change removed.
  const orphans = own.found.filter(
    ({ member, name, isBinding }) => !member && !isBinding && unbound.has(name),
  );
  const unknownMembers = changed.filter(
    (use) =>
      use.member === 'self' &&
      !own.found.some((one) => one.name === use.name && (!isChanged(one.row) || one.isBinding)),
  );
  const names = (list: Occurrence[]) => [...new Set(list.map(({ name }) => name))];
  return {
    newErrors: Math.max(0, own.errors - old.errors),
    undefinedNames: names([...undefinedNames, ...orphans]),
    unknownMembers: names(unknownMembers),
    removedNames: [...unbound],
  };
}

/** True when an occurrence shows that a name is defined where it is used. */
function defines(one: Occurrence, use: Occurrence, isChanged: (row: number) => boolean): boolean {
  if (one === use || one.member || one.name !== use.name) return false;
  if (!one.isBinding && isChanged(one.row)) return false;
  return one.scope.every((id, depth) => use.scope[depth] === id);
}

/** Tests whether a row of `text` is among those that `other` lacks, by the longest common start and end and by lines. */
function changedRows(other: string, text: string): (row: number) => boolean {
  const counts = new Map<string, number>();
  for (const line of other.split('\n')) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  const rows = new Map<string, number[]>();
  for (const [row, line] of text.split('\n').entries()) {
    const known = rows.get(line.trim());
    if (known) known.push(row);
    else rows.set(line.trim(), [row]);
  }
  const changed = new Set<number>();
  // Of equal lines, of which there are more than before, any may be the new one.
  for (const [line, found] of rows)
    if (found.length > (counts.get(line) ?? 0)) for (const row of found) changed.add(row);
  return (row) => changed.has(row);
}

function readOccurrences(root: Node): { found: Occurrence[]; errors: number } {
  const found: Occurrence[] = [];
  let errors = 0;
  const open: { node: Node; scope: readonly number[]; isBinding: boolean; member: Occurrence['member'] }[] = [
    { node: root, scope: [], isBinding: false, member: false },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, scope, isBinding, member } = next;
    if (node.isError || node.isMissing) errors++;
    const row = node.startPosition.row;
    if (IDENTIFIERS.has(node.type) && (node.namedChildCount === 0 || node.type === 'variable_name')) {
      found.push({ name: node.text.replace(/^\$/, ''), row, scope, isBinding, member });
      continue;
    }
    if (node.type === 'import_spec' || node.type === 'package_clause') bindPackage(node, found);
    const inner = FUNCTION.test(node.type) ? [...scope, node.id] : scope;
    const first = node.child(0);
    const children = node.children;
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i]!;
      const field = node.fieldNameForChild(i);
      if (i === 0 && isKey(node, child)) continue;
      const isName = field === 'name' && NAMED.test(node.type);
      const isOwnMethod = isName && node.parent?.parent != null && isMethod(node);
      open.push({
        node: child,
        scope: isName ? scope : inner,
        isBinding: isName || bindsChild(node, field, isBinding),
        member: isOwnMethod ? 'self' : memberOf(node, first, { child, i, field }),
      });
    }
  }
  return { found, errors };
}

/** Binds the last part of a package's path, as Go does. */
function bindPackage(node: Node, found: Occurrence[]): void {
  const path = node.childForFieldName('path')?.text ?? '';
  const name = /(\w+)(?:\/v\d+)?"$/.exec(path)?.[1];
  const { row } = node.startPosition;
  if (name) found.push({ name, row, scope: [], isBinding: true, member: false });
}

/** True for the key of a named argument or of a literal, which is no use of a variable. */
function isKey(node: Node, child: Node): boolean {
  if (KEY.test(node.type)) return IDENTIFIERS.has(child.type);
  return node.type === 'keyed_element' && child.type === 'literal_element';
}

/** True for a definition directly inside a class, whose name is a member. */
function isMethod(node: Node): boolean {
  if (!FUNCTION.test(node.type)) return false;
  const parent = node.parent!;
  const container = /^(?:decorated_definition|block|declaration_list)$/.test(parent.type)
    ? parent.parent
    : parent;
  const outer = container?.type === 'block' ? container.parent : container;
  return outer != null && CLASS.test(outer.type);
}

function bindsChild(node: Node, field: string | null, inherited: boolean): boolean {
  if (field !== null && NOT_BINDING_FIELDS.test(field)) return false;
  if (MEMBER.test(node.type) || node.type === 'subscript' || node.type === 'subscript_expression')
    return false;
  if (field === 'left' && LEFT.test(node.type)) return true;
  if (field === 'declarator' || field === 'pattern' || field === 'alias') return true;
  return inherited || BINDING.test(node.type);
}

function memberOf(
  node: Node,
  first: Node | null,
  { child, i, field }: { child: Node; i: number; field: string | null },
): Occurrence['member'] {
  const isMember = MEMBER.test(node.type)
    ? i > 0
    : (field === 'name' && node.type === 'method_invocation' && node.childForFieldName('object') !== null) ||
      (field === 'method' && node.childForFieldName('receiver') !== null);
  if (isMember) return SELF.has(first?.text ?? '') ? 'self' : 'other';
  // Keys of literals are no uses.
  return /^(?:property_identifier|private_property_identifier|field_identifier)$/.test(child.type)
    ? 'other'
    : false;
}
