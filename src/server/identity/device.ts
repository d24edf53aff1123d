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

/** The first name in the user agent of a program that is no browser: `curl/8.5.0`, `python-requests/2.32`. */
const PROGRAM = /^[\w.-]{1,40}/;

/**
 * What a sign-in came from, by its user agent: `Firefox, Linux`, or a program's own name. Names only, which need no
 * translation. An update of the browser does not make another device of it.
 */
export function describeDevice(userAgent: string | null): string {
  const agent = userAgent ?? '';
  const nameIn = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(agent))?.[1];
  const names = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return names.join(', ') || PROGRAM.exec(agent)?.[0] || 'API';
}
