/**
 * Where a link of an answer leads, for people: its words may name another place. The host of a web address (in ASCII, so that
 * letters that look alike are told apart), the address of an email, the path on this site. Null where the words say it already,
 * and for a place on the same page.
 */
export function linkTarget(address: string, text: string): string | null {
  if (address.startsWith('#')) return null;
  const url = URL.parse(address);
  if (url === null) return text === address ? null : cut(address);
  if (url.host === '') return sayWhere(url.pathname, text);
  const isPlain = url.username === '' && url.password === '';
  const spelled = [url.host, `${url.protocol}//${url.host}`];
  if (isPlain && spelled.some((start) => beginsWith(text.trim(), start))) return null;
  return cut(url.host);
}

/** `mailto:` and the like have no host. */
function sayWhere(path: string, text: string): string | null {
  return text.trim() === path ? null : cut(path);
}

/** What begins with a host and goes on with a path is that address; `host.evil.example` is another. */
function beginsWith(text: string, start: string): boolean {
  const rest = text.slice(start.length);
  return text.slice(0, start.length).toLowerCase() === start && /^(?:$|[/?#][\x21-\x7e]*$)/.test(rest);
}

const MAX_LENGTH = 100;

/** The end of a host says whose it is, so the middle is left out. */
function cut(text: string): string {
  const half = MAX_LENGTH / 2;
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, half - 1)}…${text.slice(-half)}`;
}
