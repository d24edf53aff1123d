const MAX_MESSAGE = 1_000;

/** Parts of a message that differ between occurrences, in the order in which they are replaced. */
const VARIABLE_PARTS = [
  // Quoted text; apostrophes within words do not begin a quote.
  /"[^"\n]{0,400}"|`[^`\n]{0,400}`|(?<![\p{L}\p{N}])'[^'\n]{0,400}'(?![\p{L}\p{N}])|“[^”\n]{0,400}”|„[^“”\n]{0,400}[“”]|«[^»\n]{0,400}»|‘[^’\n]{0,400}’/gu,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]]{1,400}/gi,
  /\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+/g,
  /\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b/gi,
  // IP addresses with ports; then dates and times.
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b|\[?[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7}\]?(?::\d+)?/gi,
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g,
  /\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\b/g,
  /\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:,? \d{4})?/gi,
  // Hexadecimal numbers, hashes, object addresses.
  /\b0x[0-9a-f]+\b|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b|@[0-9a-f]{5,16}\b/gi,
  // Paths, hosts with ports, names of files.
  /(?:[a-z]:)?(?:[\w.@~%+-]{0,100}[\\/]){1,40}[\w.@~%+-]{1,100}/gi,
  /\b[\w-]+(?:\.[\w-]+)+:\d{2,5}\b/g,
  // Structured values and long tokens.
  /\{[^{}\n]{0,400}\}|\[[^[\]\n]{0,400}\]|<[\w.]+ (?:object )?at [^>]{1,40}>/g,
  /\b(?=\w*\d)(?=\w*[A-Za-z])\w{16,}\b/g,
  /[-+]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?\s?(?:ns|µs|us|ms|s|min|h|[kmgt]i?b|bytes?|%)?(?![\p{L}])|\d+/giu,
];

/** Text of Node around the reason of a rejected promise. */
const REJECTION = /^.*The promise rejected with the reason "([\s\S]*?)"\.?\s*$/s;

/** Failures that browsers and operating systems word differently, in a form that stands for all of them. */
const KNOWN_FAILURES: [RegExp, string][] = [
  [
    /^(?:error )?loading (?:css )?chunk\b.* failed|dynamically imported module|^importing a module script failed|^unable to preload css/i,
    'chunk not loaded',
  ],
  [/^resizeobserver loop /i, 'resizeobserver loop'],
  [/\bbroken pipe\b|\bconnection (?:was )?reset\b|\bEPIPE\b|\bECONNRESET\b/i, 'connection closed by peer'],
];

/** Form of a message without the values of one occurrence; placeholders of templates stand for values as well. */
export function messageShape(message: string): string {
  const known = KNOWN_FAILURES.find(([pattern]) => pattern.test(message));
  if (known) return known[1];
  const [, state, code = ''] = /\bSQLSTATE\[(\w{5})\](?: \[(\d+)\])?/.exec(message) ?? [];
  if (state !== undefined) return `sqlstate ${state} ${code}`.toLowerCase();
  let shape = message
    .slice(0, MAX_MESSAGE)
    .replace(REJECTION, '$1')
    .replace(/^(?:(?:uncaught (?:\(in promise\) )?|unhandled (?:promise )?rejection:? |error: ))+/i, '')
    .replace(/%(?:\(\w+\))?[-+#0]*\d*(?:\.\d+)?[sdifrxXvqtT]|\{\w*(?:[:!][^{}]*)?\}|\$\{[^{}]*\}/g, '•');
  for (const part of VARIABLE_PARTS) shape = shape.replace(part, '•');
  return shape
    .replace(/\s?\(•\)/g, '')
    .replace(/•(?:[\s,;:/-]*•)+/g, '•')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
