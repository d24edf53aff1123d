/** A number of an issue (`#123`) or request (`!123`), or a full hash, as texts name them. */
type HostReference = { kind: 'issue' | 'pull_request'; number: number } | { kind: 'commit'; hash: string };

/** Part of a text; null where it refers to nothing. */
interface TextPart {
  text: string;
  reference: HostReference | null;
}

/** `owner/name#12` is of another repository, `&#39;` a character, and `#12.5` no number of an issue. */
const REFERENCE =
  /(?<![\w&/#!.-])(?:#([1-9]\d{0,6})|!([1-9]\d{0,6})|((?=[a-f]*\d)[0-9a-f]{40}))(?![\w-]|\.\d)/g;

/** Splits a text at the references in it. */
export function splitHostReferences(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [whole, issue, request, hash] = match;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), reference: null });
    const reference: HostReference = hash
      ? { kind: 'commit', hash }
      : { kind: issue ? 'issue' : 'pull_request', number: Number(issue ?? request) };
    parts.push({ text: whole, reference });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), reference: null });
  return parts;
}
