import type { Definition, Outline } from './outline.ts';

/** Line patterns of a language without a grammar, or with a slow one. */
interface LanguageLayout {
  /** Start of a comment that ends with its row. */
  comment: string;
  /** Matches at the first nonblank character of a row; the one group that matches is the name. */
  definition: RegExp;
  /** Definitions extend to the next one, whatever their indentation. */
  sections?: true;
}

const KOTLIN_WORDS =
  'public|private|protected|internal|open|abstract|override|suspend|inline|data|sealed|enum|annotation|companion|operator|infix|tailrec|external|const|lateinit|final|actual|expect|value|inner|fun';
const SCALA_WORDS =
  'private|protected|override|implicit|final|abstract|sealed|case|lazy|inline|package|given';
const SWIFT_WORDS =
  'public|private|fileprivate|internal|open|final|static|class|override|mutating|nonmutating|required|convenience|indirect|lazy|weak|nonisolated|async|prefix|postfix|infix|distributed';

const LAYOUTS: Record<string, LanguageLayout> = {
  clojure: { comment: ';', definition: /\((?:def[\w-]*|ns)\s+\^?([^\s()[\]{}^]+)/y },
  cmake: {
    comment: '#',
    definition: /(?:function|macro)\s*\(\s*(\w+)/iy,
  },
  elixir: {
    comment: '#',
    definition: /(?:defmodule|defp?|defmacrop?|defguardp?|defprotocol|defimpl)\s+([\w.]+[?!]?)/y,
  },
  fsharp: {
    comment: '//',
    definition: /(?:let|type|module|member|and)\s+(?:(?:rec|inline|private|mutable|public)\s+|\w+\.)*(\w+)/y,
  },
  graphql: {
    comment: '#',
    definition:
      /(?:extend\s+)?(?:type|interface|enum|input|union|scalar|query|mutation|subscription|fragment)\s+(\w+)/y,
  },
  groovy: {
    comment: '//',
    definition:
      /(?:(?:public|private|protected|static|final|abstract|@\w+)\s+)*(?:(?:class|interface|trait|enum)\s+(\w+)|(?:def|void|[A-Z]\w*)\s+(\w+)\s*\([^)\n]*\)\s*\{)/y,
  },
  haskell: {
    comment: '--',
    definition: /(?:data|newtype|type|class|module)\s+([A-Z][\w.']*)|([a-z_][\w']*)\s+::/y,
  },
  ini: { comment: '#', definition: /\[([^\]\n]+)\]\s*$/y, sections: true },
  julia: {
    comment: '#',
    definition: /(?:(?:mutable\s+)?struct|function|macro|module|abstract type)\s+([\w.!]+)/y,
  },
  kotlin: {
    comment: '//',
    definition: new RegExp(
      String.raw`(?:(?:${KOTLIN_WORDS}|@\w+)\s+)*(?:(?:class|interface|object|typealias)\s+(\w+)|(?<=\bfun\s+)(?:<[^>\n]*>\s*)?(?:[\w<>?, *]+\.)?(\w+)\s*\(|const\s+va[lr]\s+(\w+)|(?<=\bconst\s+)va[lr]\s+(\w+))`,
      'y',
    ),
  },
  lisp: {
    comment: ';',
    definition: /\((?:def[\w*-]*|cl-def[\w*-]*)\s+\(?'?([^\s()]+)/y,
  },
  lua: {
    comment: '--',
    definition: /(?:local\s+)?function\s+([\w.:]+)|(?:local\s+)?([\w.]+)\s*=\s*function\b/y,
  },
  make: {
    comment: '#',
    definition: /([\w./-]+)\s*:(?![=:])|define\s+([\w-]+)/y,
  },
  objc: {
    comment: '//',
    definition: /[-+]\s*\([^)\n]*\)\s*(\w+)|@(?:interface|implementation|protocol)\s+(\w+)/y,
  },
  ocaml: {
    comment: '(*',
    definition: /(?:let|and|type|module|val|exception)\s+(?:(?:rec|nonrec|type)\s+)?(\w[\w']*)/y,
  },
  perl: {
    comment: '#',
    definition: /(?:sub|package)\s+([\w:]+)/y,
  },
  powershell: {
    comment: '#',
    definition: /(?:function|filter|class|enum|workflow)\s+(?:\w+:)?([\w-]+)/iy,
  },
  proto: {
    comment: '//',
    definition: /(?:message|service|enum|rpc|oneof)\s+(\w+)/y,
  },
  r: {
    comment: '#',
    definition: /([\w.]+)\s*(?:<-|=)\s*function\b/y,
  },
  scala: {
    comment: '//',
    definition: new RegExp(
      String.raw`(?:(?:${SCALA_WORDS})(?:\[\w+\])?\s+)*(?:def|class|object|trait|enum|type)\s+(\w+)`,
      'y',
    ),
  },
  scss: {
    comment: '//',
    definition: /@(?:mixin|function)\s+([\w-]+)|[.#%]([\w-]+)[^;{\n]*\{\s*$|\.([\w-]+)\(.*\)\s*\{/y,
  },
  shell: {
    comment: '#',
    definition: /function\s+([\w:.-]+)|([\w:.-]+)\s*\(\s*\)/y,
  },
  sql: {
    comment: '--',
    definition:
      /create\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unique|materialized)\s+)?(?:table|view|function|procedure|trigger|index|type|sequence|schema)\s+(?:if\s+not\s+exists\s+)?["`[]?([\w.]+)/iy,
  },
  swift: {
    comment: '//',
    definition: new RegExp(
      String.raw`(?:(?:${SWIFT_WORDS}|@\w+)(?:\(\w+\))?\s+)*(?:(?:func|struct|enum|protocol|extension|actor|typealias|macro|class)\s+([\w.]+)|(init|deinit|subscript)\b)`,
      'y',
    ),
  },
  tcl: { comment: '#', definition: /proc\s+(\S+)/y },
  toml: { comment: '#', definition: /\[+([^\]\n]+)\]+\s*$/y, sections: true },
  zig: {
    comment: '//',
    definition:
      /(?:(?:pub|export|inline|extern)\s+)*(?:fn\s+(\w+)|const\s+(\w+)\s*=\s*(?:packed\s+|extern\s+)?(?:struct|enum|union|error))/y,
  },
};

const TAB_WIDTH = 8;
/** Deeper nesting is not code. */
const MAX_DEPTH = 32;
const MAX_NAME_LENGTH = 100;
/** Longer rows are data. */
const MAX_ROW_LENGTH = 500;
/** Rows that only close a definition, or open the body of the one that the previous row names. */
const CLOSING = /(?:[\])}]+[;,)]*|end\w*|@end|esac|fi|done)(?:\s*(?:\(\s*\)|;|--.*|\/\/.*|#.*))?\s*$/y;
const OPENING = /[{(]/y;
const QUOTED = /"[^"\n]{2,}"/g;

interface Open {
  definition: Definition;
  indent: number;
}

/**
 * Finds definitions, comments and strings by the beginnings of rows and by indentation, for languages without a grammar;
 * null when the language has no such layout. One pass over the rows.
 *
 *     sub run {         starts a definition, to which further indented rows belong
 *         …
 *     }                 a closing row with the same indentation ends it, any other row there follows it
 */
export function outlineByLayout(language: string, lines: readonly string[]): Outline | null {
  const layout = Object.hasOwn(LAYOUTS, language) ? LAYOUTS[language] : undefined;
  if (!layout) return null;
  const definitions: Definition[] = [];
  const open: Open[] = [];
  const outline: Outline = { definitions, blocks: definitions, prose: [], leading: new Set() };
  let last = 0;
  let unit = 0;
  for (const [row, line] of lines.entries()) {
    const at = firstNonBlank(line);
    if (at >= 0) {
      collectProse(layout, line, at, unit, outline, row);
      const name = matchAt(layout.definition, line, at);
      const indent = indentOf(line, at);
      if (layout.sections ? name !== null : !outline.leading.has(row))
        closeDefinitions(open, line, at, indent, row, last);
      if (name !== null && open.length < MAX_DEPTH)
        openDefinition(open, definitions, { name: cleanName(name), row, indent });
      last = row;
    }
    unit += line.length + 1;
  }
  for (const { definition } of open) definition.end = last;
  return outline;
}

function collectProse(
  layout: LanguageLayout,
  line: string,
  at: number,
  unit: number,
  outline: Outline,
  row: number,
): void {
  if (isComment(layout, line, at)) {
    outline.prose.push(unit + at, unit + line.length);
    outline.leading.add(row);
  } else if (line[at] === '@' && !layout.sections) outline.leading.add(row);
  else if (line.length < MAX_ROW_LENGTH && line.includes('"')) {
    for (const { index, 0: quoted } of line.matchAll(QUOTED))
      outline.prose.push(unit + index + 1, unit + index + quoted.length - 1);
  }
}

/** True for comments. Languages with `//` also have blocks, whose rows start with `/*` and, by convention, `*`. */
function isComment({ comment }: LanguageLayout, line: string, at: number): boolean {
  return (
    line.startsWith(comment, at) || (comment === '//' && (line[at] === '*' || line.startsWith('/*', at)))
  );
}

/** Closes open definitions with at least this indentation. */
function closeDefinitions(
  open: Open[],
  line: string,
  at: number,
  indent: number,
  row: number,
  last: number,
): void {
  while (open.length > 0 && open.at(-1)!.indent >= indent) {
    const { definition, indent: left } = open.at(-1)!;
    if (left === indent && matches(OPENING, line, at)) return;
    definition.end = left === indent && matches(CLOSING, line, at) ? row : Math.max(last, definition.start);
    open.pop();
  }
}

function openDefinition(
  open: Open[],
  roots: Definition[],
  { name, row, indent }: { name: string; row: number; indent: number },
): void {
  const parent = open.at(-1)?.definition;
  const full = parent ? `${parent.names[0]}.${name}` : name;
  const definition: Definition = { start: row, end: row, names: [full], container: false, children: [] };
  if (parent) {
    parent.container = true;
    parent.children.push(definition);
  } else roots.push(definition);
  open.push({ definition, indent });
}

/** Index of the first nonblank character; -1 in an empty row. */
function firstNonBlank(line: string): number {
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit !== 32 && (unit > 13 || unit < 9)) return at;
  }
  return -1;
}

function indentOf(line: string, at: number): number {
  let indent = 0;
  for (let i = 0; i < at; i++) indent += line.charCodeAt(i) === 9 ? TAB_WIDTH : 1;
  return indent;
}

function matchAt(pattern: RegExp, line: string, at: number): string | null {
  if (line.length > MAX_ROW_LENGTH) return null;
  pattern.lastIndex = at;
  const match = pattern.exec(line);
  return match ? (match.slice(1).find((group) => group !== undefined) ?? null) : null;
}

function matches(pattern: RegExp, line: string, at: number): boolean {
  pattern.lastIndex = at;
  return line.length <= MAX_ROW_LENGTH && pattern.test(line);
}

const cleanName = (name: string) => name.replace(/::?/g, '.').slice(0, MAX_NAME_LENGTH);
