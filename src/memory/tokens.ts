/**
 * Tokenizes text into terms, equally for documents and queries.
 *
 *     word    a run of letters, digits, marks and `_` in any script: `parseHTTPResponse_v2`
 *     parts   the word cut at `_`, camelCase and digits: parse http response v 2
 *     term    a part or the whole, lower-cased, without `_`, lightly stemmed: pars, http, respons, parsehttpresponsev2
 *
 * `fooBar`, `foo_bar` and `FOO_BAR` share all their terms.
 */

const MAX_TERM_LENGTH = 64;
const MAX_WORD_PARTS = 12;

const UNICODE_PARTS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Nd}+|[\p{L}\p{M}\p{N}]+/gu;
const ASCII_PARTS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g;
/** Scripts without spaces between words: their terms are character bigrams. */
const SCRIPTS_WITHOUT_SPACES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const LOWERCASE_ASCII_WORD = /^[a-z]+$/;
const HASH = /^(?=.*[0-9])[0-9a-f]{16,64}$/;

/** 1 for every UTF-16 unit of words. Astral letters count by their surrogates. */
const WORD_UNITS = wordUnits();

function wordUnits(): Uint8Array {
  const units = new Uint8Array(0x10000);
  const letter = /[\p{L}\p{N}\p{M}_]/u;
  for (let unit = 0; unit < 0x10000; unit++) {
    if (letter.test(String.fromCharCode(unit))) units[unit] = 1;
  }
  // High surrogates of the planes that hold letters (D800–D83B: ancient scripts; D840–D8BF: ideographs), not of
  // pictures (D83C–D83F). Their low halves follow them.
  units.fill(1, 0xd800, 0xd83c);
  units.fill(1, 0xd840, 0xd8c0);
  units.fill(1, 0xdc00, 0xe000);
  return units;
}

/**
 * Calls `sink` with the range of every word of `text` between units `from` and `to`, and a hash of its units (FNV-1a,
 * 32 bits), which costs almost nothing here.
 */
export function scanWords(
  text: string,
  sink: (start: number, end: number, hash: number) => void,
  from = 0,
  to = text.length,
): void {
  let at = from;
  while (at < to) {
    let unit = text.charCodeAt(at);
    if (WORD_UNITS[unit] === 0) {
      at++;
      continue;
    }
    const start = at;
    let hash = 0x811c9dc5;
    do {
      hash = Math.imul(hash ^ unit, 0x01000193);
      unit = ++at < to ? text.charCodeAt(at) : 0;
    } while (WORD_UNITS[unit] === 1);
    sink(start, at, hash >>> 0);
  }
}

/** Terms of one word: its parts and, when there are several, the whole. */
export function wordTerms(word: string): string[] {
  if (LOWERCASE_ASCII_WORD.test(word)) return word.length <= MAX_TERM_LENGTH ? [stem(word)] : [];
  if (word.length >= 16 && HASH.test(word)) return [word];
  const ascii = /^\w+$/.test(word);
  const plain = ascii ? word : word.normalize('NFKC');
  if (!ascii && SCRIPTS_WITHOUT_SPACES.test(plain)) return bigrams(plain);
  const parts = plain.match(ascii ? ASCII_PARTS : UNICODE_PARTS) ?? [];
  if (parts.length === 1) return parts[0]!.length <= MAX_TERM_LENGTH ? [stem(parts[0]!.toLowerCase())] : [];
  const whole = parts.join('').toLowerCase();
  const terms = whole.length > 0 && whole.length <= MAX_TERM_LENGTH ? [whole] : [];
  if (parts.length > MAX_WORD_PARTS) return terms;
  for (const part of parts) {
    if (part.length > 1 && part.length <= MAX_TERM_LENGTH) terms.push(stem(part.toLowerCase()));
  }
  return terms;
}

function bigrams(text: string): string[] {
  const terms: string[] = [];
  for (const run of text.toLowerCase().split('_')) {
    const characters = [...run].slice(0, 4096);
    if (characters.length === 1) terms.push(run);
    for (let i = 0; i + 1 < characters.length; i++) terms.push(characters[i]! + characters[i + 1]!);
  }
  return terms;
}

/** Calls `sink` with every term of the text, in order, with repetitions. */
function tokenize(text: string, sink: (term: string) => void): void {
  scanWords(text, (start, end) => wordTerms(text.slice(start, end)).forEach(sink));
}

/** All terms of the text, in order, with repetitions. */
export function terms(text: string): string[] {
  const found: string[] = [];
  tokenize(text, (term) => found.push(term));
  return found;
}

/**
 * Strips plural, -ed, -ing and a final -e, so that parse, parses, parsed and parsing become `pars`. Only English endings
 * on ASCII letters; the stem must keep a vowel and three letters.
 */
function stem(word: string): string {
  return word.length < 4 || !LOWERCASE_ASCII_WORD.test(word)
    ? word
    : stripFinalE(stripIngAndEd(stripPlural(word)));
}

// Called for nearly every word of a project, hence without regular expressions.

function stripPlural(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('ies') && word.length > 4 && !'ae'.includes(word.at(-4)!)) return `${word.slice(0, -3)}y`;
  if (word.endsWith('es') && !'aeo'.includes(word.at(-3)!)) return word.slice(0, -1);
  return 'sui'.includes(word.at(-2)!) ? word : word.slice(0, -1);
}

function stripIngAndEd(word: string): string {
  const ending = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  if (ending === 0) return word;
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  const left = word.slice(0, -ending);
  if (left.length < 3 || !/[aeiouy]/.test(left)) return word;
  const last = left.at(-1)!;
  return last === left.at(-2) && !'aeiouylsz'.includes(last) ? left.slice(0, -1) : left;
}

const stripFinalE = (word: string) => (word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word);
