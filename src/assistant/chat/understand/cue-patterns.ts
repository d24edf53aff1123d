import { plainText, type QuestionToken } from './question-tokens.ts';

/** Words that may stand at one place of a pattern. */
type Element =
  /** `word`, `stem*` or `one|other`. */
  | { kind: 'words'; exact: ReadonlySet<string>; stems: readonly string[] }
  /** `<name>`: words of a class, or a kind of token. */
  | { kind: 'class'; sequences: Element[][]; token: string }
  /** `…`: any few words. */
  | { kind: 'gap' }
  /** `^`: the beginning of a sentence. */
  | { kind: 'start' };

/** A compiled phrase with its weight for an intent. */
export interface CuePattern<Intent> {
  intent: Intent;
  weight: number;
  elements: Element[];
}

type WordClasses = Readonly<Record<string, readonly string[]>>;

/** Words that a gap may skip. */
const MAX_GAP = 8;

/**
 * Compiles a phrase: words, `stem*`, `one|other`, `<class>`, `…` for up to eight words, and `^` for the beginning of a
 * sentence. `<code>`, `<version>`, `<issue>` and `<hash>` are kinds of tokens.
 */
export function compilePhrase(phrase: string, classes: WordClasses): Element[] {
  return phrase.split(' ').map((part): Element => {
    if (part === '…') return { kind: 'gap' };
    if (part === '^') return { kind: 'start' };
    const named = /^<([\w|]+)>$/.exec(part)?.[1];
    if (named === undefined) return compileWords(part);
    const sequences = (classes[named] ?? []).map((member) => compilePhrase(member, {}));
    return { kind: 'class', sequences, token: named };
  });
}

function compileWords(part: string): Element {
  const words = part.split('|').map(plainText);
  const stems = words.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
  return { kind: 'words', exact: new Set(words.filter((word) => !word.endsWith('*'))), stems };
}

/** Finds the first match of a pattern: numbers of the tokens that its words match; null for none. */
export function matchPattern(
  elements: readonly Element[],
  tokens: readonly QuestionToken[],
): number[] | null {
  for (let start = 0; start < tokens.length; start++) {
    const found = matchFrom(elements, 0, tokens, start);
    if (found) return found.tokens;
  }
  return null;
}

interface Match {
  end: number;
  tokens: number[];
}

function matchFrom(
  elements: readonly Element[],
  at: number,
  tokens: readonly QuestionToken[],
  position: number,
): Match | null {
  const element = elements[at];
  if (!element) return { end: position, tokens: [] };
  const rest = (next: number, taken: number[]): Match | null => {
    if (next > position && next < tokens.length && at + 1 < elements.length) {
      if (tokens[next]!.sentence !== tokens[position]!.sentence) return null;
    }
    const after = matchFrom(elements, at + 1, tokens, next);
    return after && { end: after.end, tokens: [...taken, ...after.tokens] };
  };
  switch (element.kind) {
    case 'start':
      return position === 0 || tokens[position - 1]!.sentence !== tokens[position]?.sentence
        ? rest(position, [])
        : null;
    case 'gap':
      for (let skipped = 0; skipped <= MAX_GAP && position + skipped < tokens.length; skipped++) {
        if (tokens[position + skipped]!.sentence !== tokens[Math.max(0, position - 1)]!.sentence) return null;
        const found = matchFrom(elements, at + 1, tokens, position + skipped);
        if (found) return found;
      }
      return null;
    case 'class':
      for (const sequence of element.sequences) {
        const own = matchFrom(sequence, 0, tokens, position);
        const found = own && rest(own.end, own.tokens);
        if (found) return found;
      }
      return matchesKind(element.token, tokens[position]) ? rest(position + 1, [position]) : null;
    case 'words':
      return matchesWord(element, tokens[position]) ? rest(position + 1, [position]) : null;
  }
}

function matchesKind(name: string, token: QuestionToken | undefined): boolean {
  return token !== undefined && name.split('|').includes(token.kind);
}

function matchesWord(
  { exact, stems }: Extract<Element, { kind: 'words' }>,
  token: QuestionToken | undefined,
): boolean {
  if (token?.kind !== 'word') return false;
  return exact.has(token.text) || stems.some((stem) => token.text.startsWith(stem));
}
