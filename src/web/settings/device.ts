/** In this order: what comes later calls itself by the earlier names too. */
const PROGRAMS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Program and system by what a client says of itself. One that is no browser is called by the name that it begins
 * with (`curl/8.5.0` is `curl`); null for what it does not say.
 */
export function readUserAgent(text: string): { program: string | null; system: string | null } {
  const named = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(text))?.[1];
  const program = named(PROGRAMS) ?? /^[\w.-]{1,40}(?=\/)/.exec(text.replace(/^Mozilla\//, ''))?.[0];
  return { program: program ?? null, system: named(SYSTEMS) ?? null };
}
