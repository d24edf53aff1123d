const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes that CLDR names but ISO 3166 assigns to no country: unions, reserved codes of islands, and codes for tests. */
const NO_COUNTRIES = new Set([
  'AC',
  'CP',
  'CQ',
  'DG',
  'EA',
  'EU',
  'EZ',
  'IC',
  'QO',
  'TA',
  'UN',
  'XA',
  'XB',
  'ZZ',
]);

interface Country {
  /** ISO 3166, two letters. */
  code: string;
  name: string;
}

/** Countries by their names in a language, as the browser knows them; `current` is among them, whatever it is. */
export function listCountries(language: string, current = ''): Country[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const { compare } = new Intl.Collator(language);
  const found = LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}`))
    .filter((code) => !NO_COUNTRIES.has(code) && isInForce(code))
    .map((code) => ({ code, name: names.of(code) ?? '' }))
    .filter(({ name }) => name !== '')
    .sort((a, b) => compare(a.name, b.name));
  const isKnown = current === '' || found.some(({ code }) => code === current);
  return isKnown ? found : [...found, { code: current, name: current }];
}

/** False for codes of the past, such as DD, and second ones, such as UK. */
function isInForce(code: string): boolean {
  return Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
}
