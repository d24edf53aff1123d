import type { Hunk } from '#contract/projects.ts';
import { lackedMember } from '../trace/lacked-member.ts';

/** A value that has no elements, or too few. */
const SUBSCRIPT =
  /object is not subscriptable|undefined method [`']\[\]'|\(reading '\d+'\)|(?:index|slice bounds) out of (?:range|bounds)|Trying to access array offset/;

/** Words of a line that checks a value. */
const CHECK = /\b(?:if|unless|elif|elsif|when|guard|assert|isset|empty|defined)\b|\?|&&|\|\|/;

/**
 * True when a change rewrote the failing line, but what failed on it was there before, and no check of it was removed: it did
 * not introduce the failure.
 */
export function rewritesAccess({ lines }: Hunk, failingLine: string, message: string): boolean {
  const accesses = accessesOf(failingLine, message);
  const textsOf = (wanted: 'add' | 'delete') =>
    lines.filter(({ kind }) => kind === wanted).map(({ text }) => normalize(text));
  const [deleted, added] = [textsOf('delete'), new Set(textsOf('add'))];
  const removed = lines.filter(({ kind, text }) => kind === 'delete' && !added.has(normalize(text)));
  return accesses.some((access) => {
    const receiver = wordsOf(access)[0] ?? '';
    const isChecked = removed.some(({ text }) => CHECK.test(text) && wordsOf(text).includes(receiver));
    return !isChecked && deleted.some((text) => text.includes(access));
  });
}

/** Code without the spaces around its signs. */
const normalize = (text: string) => text.trim().replace(/\s*([^\w\s$@])\s*/g, '$1');
const wordsOf = (text: string): string[] => text.match(/[\w$@]+/g) ?? [];

/** The code of a line that may be what the message is about: `order.items` for a member `items`, `rows[` for an element. */
function accessesOf(failingLine: string, message: string): string[] {
  const code = normalize(failingLine);
  if (SUBSCRIPT.test(message)) return code.match(/[\w$.@]+\[/g) ?? [];
  const member = lackedMember(message);
  if (!member) return [];
  const escaped = member.replace(/[?!$]/g, '\\$&');
  return code.match(new RegExp(`[\\w$@)\\]]+(?:\\?|&)?\\.${escaped}(?![\\w$])`, 'g')) ?? [];
}
