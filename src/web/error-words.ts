/** Sentence of the server → the same in the reader's language; `{{1}}`, `{{2}}` stand for what differs. */
export type Sentences = Readonly<Record<string, string>>;

/** A sentence of the server in the reader's language; as it came, where there is none. */
export function inReadersWords(sentence: string, sentences: Sentences): string {
  const known = sentences[sentence];
  if (known !== undefined) return known;
  for (const [pattern, words] of Object.entries(sentences)) {
    const found = pattern.includes('{{') ? holesIn(pattern, sentence) : null;
    if (found !== null) return words.replace(/\{\{(\d)\}\}/g, (_, place) => found[Number(place) - 1] ?? '');
  }
  return sentence;
}

/** What stands in the holes of a pattern, or null. */
function holesIn(pattern: string, sentence: string): string[] | null {
  const source = pattern
    .split(/\{\{\d\}\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(.{1,200}?)');
  return new RegExp(`^${source}$`, 's').exec(sentence)?.slice(1) ?? null;
}
