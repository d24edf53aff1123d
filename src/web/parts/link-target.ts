/**
 * Where a link of an answer leads, for people: its words may name another place. The host of a web address (in ASCII, so that
 * letters that look alike are told apart), the address of an email, the path on this site. Null where the words say it already,
 * and for a place on the same page.
 */
export function linkTarget(url: string, text: string): string | null {
  if (url.startsWith('#')) return null;
  const parsed = URL.parse(url);
  if (parsed === null) return text === url ? null : truncateMiddle(url);
  if (parsed.host === '') return schemeTarget(parsed.pathname, text);
  const isPlain = parsed.username === '' && parsed.password === '';
  const prefixes = [parsed.host, `${parsed.protocol}//${parsed.host}`];
  if (isPlain && prefixes.some((start) => startsWithHost(text.trim(), start))) return null;
  return truncateMiddle(parsed.host);
}

/** `mailto:` and the like have no host. */
function schemeTarget(path: string, text: string): string | null {
  return text.trim() === path ? null : truncateMiddle(path);
}

/** What begins with a host and goes on with a path is that address; `host.evil.example` is another. */
function startsWithHost(text: string, start: string): boolean {
  const rest = text.slice(start.length);
  return text.slice(0, start.length).toLowerCase() === start && /^(?:$|[/?#][\x21-\x7e]*$)/.test(rest);
}

const MAX_LENGTH = 100;

/** The end of a host says whose it is, so the middle is left out. */
function truncateMiddle(text: string): string {
  const half = MAX_LENGTH / 2;
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, half - 1)}…${text.slice(-half)}`;
}
