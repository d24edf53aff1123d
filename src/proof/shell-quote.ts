const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is rejected
const CONTROL_CHARACTER = /[\x00-\x1f\x7f]/;

/** Quotes a word for a POSIX shell; null for one with control characters, which no command line needs. */
export function quoteShellWord(word: string): string | null {
  if (CONTROL_CHARACTER.test(word)) return null;
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Joins words to a command line; null when one cannot be quoted. */
export function shellCommand(words: readonly string[]): string | null {
  const quoted = words.map(quoteShellWord);
  return quoted.includes(null) ? null : quoted.join(' ');
}
