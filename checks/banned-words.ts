import type { Sources, Violation } from './conventions.ts';

/** A word that has a standard term in this field, and that term. */
interface BannedWord {
  pattern: RegExp;
  instead: string;
}

/** In declared names: functions, variables, types, constants. */
const IN_NAMES: BannedWord[] = [
  {
    pattern: /^(?:MOST|LEAST|LONGEST|ENOUGH|SHOWN|KEPT|FEW|ALSO|TELLING|NOBODY|NOWHERE)(?:_|$)/,
    instead: 'MAX_…, MIN_…, …_LIMIT',
  },
  {
    pattern: /^(?:Asked|Asking|Asker|Writing|Answering|Attempt|Said|Known|Needs|Standing)$/,
    instead: 'a noun, such as AnswerContext',
  },
  { pattern: /[wW]orths?(?![a-z])|^TermWorths/, instead: 'score' },
  { pattern: /^(?:(?:likely|like|test)Company|company)$/, instead: 'coChange' },
  { pattern: /^mended|Mended/, instead: 'fixed' },
  { pattern: /^(?:birth|born|findBirth)$|Birth(?![a-z])/, instead: 'introducing commit' },
  { pattern: /PATIENCE|Patience/, instead: 'TIMEOUT_MS' },
  { pattern: /^(?:brake|takeTry|forgive)$/, instead: 'throttle' },
  { pattern: /^(?:tell|say)(?:[A-Z][a-z]|$)/, instead: 'format, emit, report' },
  { pattern: /[bB]eside|BESIDE/, instead: 'nonSource, adjacent' },
  { pattern: /^(?:remember|Remember)/, instead: 'index, save' },
  { pattern: /^(?:Comer|Stranger|Leavers?)$/, instead: 'OAuthSignIn, ExternalProfile' },
  { pattern: /[sS]omebody|[nN]obody|[wW]hoever/, instead: 'user, caller, none' },
];

/** In comments, test titles, documents and texts on screen. */
const IN_TEXTS: BannedWord[] = [
  {
    pattern: /(?<![`'"])\b(?:somebody|nobody|whoever|whosoever)\b/i,
    instead: 'someone, no one, a user, anyone who',
  },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { pattern: /\bthe like of\b/i, instead: 'similar' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\b(?:is|are|was|were) told\b/i, instead: 'receives, is notified' },
  { pattern: /\bnewcomers?\b|\bcomers?\b/i, instead: 'new user' },
  { pattern: /\bwas born\b/i, instead: 'was introduced' },
  { pattern: /\bthe letter\b|\bletters (?:go|are sent)\b/i, instead: 'email' },
  { pattern: /\bstands? (?:below|above|beside|there)\b/i, instead: 'is' },
  { pattern: /\bat their own\b|\bof its own accord\b/i, instead: 'itself, automatically' },
];

const DECLARATION = /\b(?:const|let|function\*?|class|interface|type|enum)\s+([A-Za-z_$][\w$]*)/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const TEST_TITLE = /\b(?:test|describe|it)(?:\.\w+)*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g;

/** Banned words among the names that a file declares, in its comments and in the titles of its tests. */
export function findBannedWords(sources: Sources): Violation[] {
  return Object.entries(sources).flatMap(([path, source]) => [
    ...[...source.matchAll(DECLARATION)].flatMap((match) =>
      violations(path, source, match.index, match[1]!, IN_NAMES),
    ),
    ...[...source.matchAll(COMMENT)].flatMap((match) =>
      violations(path, source, match.index, match[0], IN_TEXTS),
    ),
    ...[...source.matchAll(TEST_TITLE)].flatMap((match) =>
      violations(path, source, match.index, match[2]!, IN_TEXTS),
    ),
  ]);
}

/** Banned words in a document or a locale file. */
export function findBannedTexts(texts: Sources): Violation[] {
  return Object.entries(texts).flatMap(([path, text]) =>
    text.split('\n').flatMap((line, row) => violations(path, text, offsetOf(text, row), line, IN_TEXTS)),
  );
}

function violations(
  path: string,
  source: string,
  index: number,
  text: string,
  words: BannedWord[],
): Violation[] {
  return words.flatMap(({ pattern, instead }) => {
    const match = pattern.exec(text);
    if (!match) return [];
    const line = source.slice(0, index + match.index).split('\n').length;
    return [{ path, line, text: `"${match[0]}" is no term of the field: use ${instead}.` }];
  });
}

function offsetOf(text: string, row: number): number {
  return text.split('\n', row).reduce((sum, line) => sum + line.length + 1, 0);
}
