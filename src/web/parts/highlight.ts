type TokenKind = 'plain' | 'keyword' | 'string' | 'number' | 'comment' | 'function';

/** A piece of a line of code. */
export interface CodeToken {
  kind: TokenKind;
  text: string;
}

interface Syntax {
  /** Comment up to the end of the line. */
  lineComment: string;
  /** Openings of comments and strings that may span lines, with their ends. */
  spanning: [open: string, close: string, kind: 'comment' | 'string'][];
  /** Strings of one line. */
  strings: string;
}

const DOUBLE_QUOTED = '"(?:\\\\.|[^"\\\\])*"';
const SINGLE_QUOTED = "'(?:\\\\.|[^'\\\\])*'";
const C_COMMENT: Syntax['spanning'][number] = ['/*', '*/', 'comment'];

const C_LIKE: Syntax = {
  lineComment: '//.*',
  spanning: [C_COMMENT, ['`', '`', 'string']],
  strings: `${DOUBLE_QUOTED}|${SINGLE_QUOTED}`,
};
const RUST: Syntax = {
  ...C_LIKE,
  spanning: [C_COMMENT],
  // A single quote also opens a lifetime.
  strings: `${DOUBLE_QUOTED}|'(?:\\\\.|[^'\\\\])'`,
};
const PYTHON: Syntax = {
  lineComment: '#.*',
  spanning: [
    ['"""', '"""', 'string'],
    ["'''", "'''", 'string'],
  ],
  strings: C_LIKE.strings,
};
const HASH: Syntax = { ...PYTHON, spanning: [] };
const SQL: Syntax = { ...C_LIKE, lineComment: '--.*', spanning: [C_COMMENT] };

const SYNTAXES: [extensions: string, syntax: Syntax][] = [
  ['js jsx mjs cjs ts tsx mts cts java kt c h cc cpp hpp cs go swift scala php dart css scss json', C_LIKE],
  ['rs', RUST],
  ['py pyi', PYTHON],
  ['rb sh bash yml yaml toml pl r ex exs mk', HASH],
  ['sql lua', SQL],
];

const KEYWORDS = new Set(
  (
    'abstract and as assert async await begin break case catch chan class const continue def default defer del delete do ' +
    'elif else elsif end ensure enum except export extends false False final finally fn for foreach from func function ' +
    'global go if impl implements import in instanceof interface is lambda let match module mut namespace new nil None ' +
    'nonlocal not null of or override package pass private protected pub public raise readonly require rescue return ' +
    'self Self static struct super switch then this throw throws trait true True try type typeof undefined unless until ' +
    'use using var void when where while with yield'
  ).split(' '),
);

/** Longer lines are shown plain. */
const MAX_LINE_LENGTH = 2_000;

/** Splits consecutive lines of a file into coloured tokens; the language follows from the file's extension. */
export function highlightLines(lines: string[], path: string): CodeToken[][] {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const syntax = SYNTAXES.find(([extensions]) => extensions.split(' ').includes(extension))?.[1];
  if (!syntax) return lines.map((text) => [{ kind: 'plain', text }]);
  const pattern = tokenPattern(syntax);
  let open: Syntax['spanning'][number] | null = null;
  return lines.map((line) => {
    if (line.length > MAX_LINE_LENGTH) return [{ kind: 'plain', text: line }];
    const tokens: CodeToken[] = [];
    let rest = line;
    while (rest !== '') {
      const span: Syntax['spanning'][number] | null = open ?? startOfSpan(rest, syntax);
      if (span) {
        const end = rest.indexOf(span[1], open ? 0 : span[0].length);
        const length = end < 0 ? rest.length : end + span[1].length;
        tokens.push({ kind: span[2], text: rest.slice(0, length) });
        open = end < 0 ? span : null;
        rest = rest.slice(length);
        continue;
      }
      const [text = rest[0] ?? ''] = pattern.exec(rest) ?? [];
      tokens.push({ kind: kindOfToken(text, rest, syntax), text });
      rest = rest.slice(text.length);
    }
    return joinPlain(tokens);
  });
}

/** Comments, strings, numbers, words, blanks, then any single character. */
function tokenPattern({ lineComment, strings }: Syntax): RegExp {
  return new RegExp(`^(?:${lineComment}|${strings}|\\d[\\w.]*|[\\p{L}_$][\\p{L}\\p{N}_$]*|\\s+|.)`, 'u');
}

function startOfSpan(text: string, { spanning }: Syntax): Syntax['spanning'][number] | null {
  return spanning.find(([open]) => text.startsWith(open)) ?? null;
}

function kindOfToken(text: string, rest: string, { lineComment }: Syntax): TokenKind {
  if (new RegExp(`^(?:${lineComment})$`).test(text)) return 'comment';
  if (/^["'`]./.test(text)) return 'string';
  if (/^\d/.test(text)) return 'number';
  if (KEYWORDS.has(text)) return 'keyword';
  return /^[\p{L}_$]/u.test(text) && rest[text.length] === '(' ? 'function' : 'plain';
}

function joinPlain(tokens: CodeToken[]): CodeToken[] {
  const joined: CodeToken[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (last?.kind === 'plain' && token.kind === 'plain') last.text += token.text;
    else joined.push(token);
  }
  return joined;
}
