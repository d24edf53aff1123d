/** A function by its header: the innermost one around a line. */
interface EnclosingFunction {
  /** Null for functions without a name. */
  name: string | null;
  /** Names of the parameters in order, without the receiver; a destructured one has several names. */
  parameters: string[][];
}

/** Lines above a statement in which its function's header is looked for. */
const MAX_LINES = 300;
/** Lines of a header. */
const MAX_HEADER_LINES = 24;
const CONTROL =
  /^(?:\}\s*)?(?:(?:else\s+)?if|else|elsif|elif|for(?:each)?|while|until|unless|switch|case|when|match|catch|rescue|except|with|do|try|begin|synchronized|return|throw|new|using|loop)\b/;
const MODIFIERS =
  /^(?:(?:export|default|public|private|protected|internal|static|async|final|override|virtual|abstract|inline|unsafe|const|extern|synchronized|pub(?:\([^)]*\))?|@\w[\w.]*(?:\([^)]*\))?)\s+)*/;
/**
 * Headers: `def name(`, `def self.name a, b`, `function* name(`, `func (s *T) name(`, `fn name<T>(`; `name = (a) =>`,
 * `name: async function (`; `Type name(a) {` of Java and C, `name(a) {` of a class in JavaScript.
 */
const NAMED =
  /^(?:def\s+(?:self\.)?([\w]+[!?=]?|\[\]=?|[-+*/<=>~^&|%]+)|(?:async\s+)?function\s*\*?\s*&?\s*([\w$]*)|func\s*(?:\([^)]*\)\s*)?(\w*)(?:\[[^\]]*\])?|fn\s+(\w+)(?:<[^(]*>)?)\s*(?=\(|\s\w|\s?[*&:]\w|$)/;
const ASSIGNED =
  /^(?:(?:const|let|var)\s+)?([\w$.]+)\s*(?::[^=(]{1,80})?[:=]\s*(?:async\s*)?(?:function\s*\*?\s*[\w$]*\s*(?=\()|(?=(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[\w$]+)\s*(?::[^=]{1,80})?=>))/;
const TYPED = /^(?:[\w$<>[\],.?:&*~]+\s+)*[*&]*([\w$~]+)\s*(?=\()/;
/** A function that is passed to a call: `map.forEach((a, b) => {`, `each do |a, b|`, `items.map(function (a) {`. */
const INLINE =
  /(?:function\s*[\w$]*\s*\(([^()]{0,300})\)|\(([^()]{0,300})\)\s*=>|([\w$]{1,80})\s*=>|\|([^|]{0,300})\||lambda\s*([\w, ]{0,300}):)[^()]{0,300}$/;
const RECEIVERS = new Set(['self', 'cls', 'this', '']);

/** Tokens that may stand between the parameters of a function and its brace on a line of its own. */
const OPENING = /^(?:throws\b.*|where\b.*)?\{$/;

/** Finds the innermost function around a line by indentation; null at the top level. */
export function findEnclosingFunction(lines: readonly string[], line: number): EnclosingFunction | null {
  let indent = indentColumns(lines[line - 1] ?? '');
  for (let at = line - 1; at >= Math.max(1, line - MAX_LINES); at--) {
    const text = lines[at - 1]!;
    if (text.trim() === '' || indentColumns(text) >= indent) continue;
    indent = indentColumns(text);
    const start = headerStart(lines, at, indent);
    const header = lines
      .slice(start - 1, at)
      .map((one) => one.trim())
      .join(' ');
    // The brace may be below, behind what the function throws.
    const isOpened = OPENING.test(lines[at]?.trim() ?? '') && /\)$/.test(header);
    const found = parseHeader(isOpened ? `${header} {` : header);
    if (found) return found;
    at = start;
  }
  return null;
}

/** First line of a header of several lines, or of one whose brace is on its own line. */
function headerStart(lines: readonly string[], last: number, indent: number): number {
  const text = lines[last - 1]!.trim();
  const first = text === '{' ? last - 1 : last;
  if (!/^[)\]}]/.test(lines[first - 1]?.trim() ?? '')) return Math.max(1, first);
  for (let at = first - 1; at >= Math.max(1, first - MAX_HEADER_LINES); at--)
    if (lines[at - 1]!.trim() !== '' && indentColumns(lines[at - 1]!) <= indent) return at;
  return first;
}

function parseHeader(header: string): EnclosingFunction | null {
  if (CONTROL.test(header)) return parseInline(header);
  const bare = header.replace(MODIFIERS, '');
  const named = NAMED.exec(bare) ?? ASSIGNED.exec(bare);
  const match = named ?? (/[{]\s*$/.test(bare) ? TYPED.exec(bare) : null);
  if (!match || (!named && isCall(bare))) return parseInline(header);
  const name = match.slice(1).find((part) => part !== undefined && part !== '');
  const below = bare.slice(match[0].length).trim();
  const list = below.startsWith('(')
    ? splitArguments(below.slice(1))
    : splitArguments(`${below.replace(/=>.*$/, '')})`);
  return { name: name?.split('.').at(-1) ?? null, parameters: toParameters(list, /^func\b/.test(bare)) };
}

/** True for `describe("x", () => {`: a call whose last argument is a function. */
function isCall(header: string): boolean {
  return /=>\s*\{\s*$|\bfunction\b/.test(header);
}

function parseInline(header: string): EnclosingFunction | null {
  const match = INLINE.exec(header);
  const list = match?.slice(1).find((part) => part !== undefined);
  if (list === undefined) return null;
  return { name: null, parameters: toParameters(splitArguments(`${list})`)) };
}

/** Splits the text behind an opening parenthesis at the commas of its own level, up to the closing one. */
function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote !== '') {
      if (character === '\\') part += text[++at] === undefined ? '' : character;
      else if (character === quote) quote = '';
    } else if (/["'`]/.test(character)) quote = character;
    else if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character) && --depth < 0) break;
    if (character === ',' && depth === 0 && quote === '') {
      parts.push(part.trim());
      part = '';
    } else part += character;
  }
  return [...parts, part.trim()].filter((one) => one !== '');
}

/** Names of parameters; Go writes them before their types. */
function toParameters(list: readonly string[], isNameFirst = false): string[][] {
  return list.map((one) => parameterNames(one, isNameFirst)).filter((names) => names.length > 0);
}

/** Names that a parameter declares, in the order of any of the languages: `name: Type = x`, `Type name`, `name Type`, `$name`. */
function parameterNames(parameter: string, isNameFirst = false): string[] {
  const variable = /\$\w+/.exec(parameter);
  if (variable) return [variable[0]];
  const bare = parameter.replace(/@\w+(?:\([^)]*\))?\s*/g, '').replace(/\s*=[^>].*$/, '');
  const pattern = /^[{[]([^}\]]*)[}\]]/.exec(bare)?.[1];
  if (pattern !== undefined)
    return (pattern.match(/[A-Za-z_$][\w$]*/g) ?? []).filter((name) => !RECEIVERS.has(name));
  const [left = ''] = bare.split(/\s*:(?!:)/);
  const words = left.match(/[A-Za-z_$][\w$]*/g) ?? [];
  const name = isNameFirst ? words[0] : words.at(-1);
  return name === undefined || RECEIVERS.has(name) ? [] : [name];
}

/** Width of the white space that a line begins with; a tab counts four. */
export function indentColumns(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === ' ') width++;
    else if (character === '\t') width += 4;
    else break;
  }
  return width;
}
