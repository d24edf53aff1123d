/** Shortens a text to `max` characters, without NUL and halves of surrogate pairs, which PostgreSQL does not store. */
export function storableText(text: string, max: number): string {
  const cut = text.length > max ? `${text.slice(0, max - 1)}…` : text;
  return (cut.includes('\0') ? cut.replaceAll('\0', '\uFFFD') : cut).toWellFormed();
}
