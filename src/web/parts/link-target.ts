/**
 * Visible target of a link whose text may mislead: the host (in ASCII, against homographs), the email or the path.
 * Null when the text already shows it, and for fragments.
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

/** True for `host` optionally followed by a path; `host.evil.example` is another host. */
function startsWithHost(text: string, start: string): boolean {
  const rest = text.slice(start.length);
  return text.slice(0, start.length).toLowerCase() === start && /^(?:$|[/?#][\x21-\x7e]*$)/.test(rest);
}

const MAX_LENGTH = 100;

/** Truncates the middle, since the end of a host identifies its owner. */
function truncateMiddle(text: string): string {
  const half = MAX_LENGTH / 2;
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, half - 1)}…${text.slice(-half)}`;
}
