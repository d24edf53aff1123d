/** Catalogs of gettext, which repeat the texts of the code in every language and change in bulk. */
const TRANSLATION = /\.pot?$/i;

/** True for paths whose lines tell when a text came or went; false for translations of it. */
export function isSourceText(path: string): boolean {
  return !TRANSLATION.test(path);
}
