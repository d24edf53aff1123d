const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** First product token of a user agent other than a browser: `curl/8.5.0`, `python-requests/2.32`. */
const PROGRAM = /^[\w.-]{1,40}/;

/**
 * Describes the device of a user agent: `Firefox, Linux`, or the name of another client. Without versions, so that a browser
 * update does not change the device, and without words to translate.
 */
export function describeDevice(userAgent: string | null): string {
  const agent = userAgent ?? '';
  const nameIn = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(agent))?.[1];
  const names = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return names.join(', ') || PROGRAM.exec(agent)?.[0] || 'API';
}
