/** A word, a name of code, or a number of a question. */
export interface QuestionToken {
  /** In lower case and without accents. */
  text: string;
  kind: 'word' | 'code' | 'version' | 'issue' | 'hash';
  /** Half-open range of characters of the question. */
  span: [number, number];
  /** Number of its sentence, from 0. */
  sentence: number;
}

/** A question as tokens; `isQuestion` tells for each sentence whether it asks. */
interface TokenizedQuestion {
  tokens: QuestionToken[];
  isQuestion: boolean[];
}

/** Kinds of tokens in the order in which they are tried. Text in quotation marks is a name of code. */
const TOKEN = new RegExp(
  [
    String.raw`(?<end>[.?!…;\n]+(?=\s|$))`,
    String.raw`(?<issue>(?:#|\bGH-)\d+)`,
    String.raw`(?<hash>\b(?=[a-f]*\d)[0-9a-f]{7,40}\b)`,
    '(?<quoted>`[^`\\n]+`|"[^"\\n]{1,80}"|“[^”\\n]{1,80}”|«[^»\\n]{1,80}»|„[^“\\n]{1,80}“)',
    String.raw`(?<apostrophes>(?<![\p{L}\p{N}])'[^'\n]{2,60}'(?![\p{L}\p{N}]))`,
    String.raw`(?<version>\bv?\d+(?:\.\d+)+(?:[-.]?(?:a|b|rc|alpha|beta|pre|dev)\d*)?\b)`,
    String.raw`(?<flag>(?<![\p{L}\p{N})\]\x60"'”»“-])--?[A-Za-z][\w-]*)`,
    String.raw`(?<joined>[\w$@]*[\w$](?:(?:::|->|[._:#\\])[\w$]+|/[\w$.-]+(?=[./]))+(?:/[\w$.-]*\w)?(?:\(\))?)`,
    String.raw`(?<name>\w*[a-z\d][A-Z]\w*|\b[A-Za-z_$][\w$]*(?=\(\))|\w*_\w+)`,
    String.raw`(?<word>[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)`,
  ].join('|'),
  'gu',
);
const ASKS =
  /\?|^(?:please|could|can|would|will|show|list|tell|give|explain|find|describe|point|remind|summari[sz]e|dime|dame|explica|busca|muestra|quiero|necesito|montre|donne|explique|je voudrais|je cherche|zeig|bitte|erklar|ich suche|liste)\b/;

/** Splits a question into tokens and sentences. */
export function tokenizeQuestion(text: string): TokenizedQuestion {
  const tokens: QuestionToken[] = [];
  const sentences: string[] = [];
  let [sentence, start] = [0, 0];
  for (const match of text.matchAll(TOKEN)) {
    const groups = match.groups!;
    const end = match.index + match[0].length;
    if (groups.end !== undefined) {
      sentences.push(text.slice(start, end));
      [sentence, start] = [sentence + 1, end];
      continue;
    }
    tokens.push({ text: plainText(match[0]), kind: kindOf(groups), span: [match.index, end], sentence });
  }
  sentences.push(text.slice(start));
  return { tokens, isQuestion: sentences.map((one) => ASKS.test(plainText(one.trim()))) };
}

/** Text in lower case and without accents, which are often left out. */
export function plainText(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

function kindOf(groups: Record<string, string | undefined>): QuestionToken['kind'] {
  if (groups.issue !== undefined) return 'issue';
  if (groups.hash !== undefined) return 'hash';
  if (groups.version !== undefined) return 'version';
  return groups.word === undefined ? 'code' : 'word';
}
