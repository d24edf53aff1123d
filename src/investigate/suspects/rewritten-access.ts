import type { Hunk } from '#contract/projects.ts';

/** A member that an absent value lacks, in the words of the runtimes. */
const MEMBER =
  /\(reading '([A-Za-z_$][\w$]*)'\)|has no attribute '(\w+)'|undefined method [`']([\w?!]+)'|Cannot read property '([A-Za-z_$][\w$]*)'|\.([\w$]+) is not a function/;
/** A value that has no elements, or too few. */
const SUBSCRIPT =
  /object is not subscriptable|undefined method [`']\[\]'|\(reading '\d+'\)|(?:index|slice bounds) out of (?:range|bounds)|Trying to access array offset/;

/** True when a change rewrote the failing line, but what failed on it was there before: it did not introduce the failure. */
export function rewritesAccess({ lines }: Hunk, failingLine: string, message: string): boolean {
  const accesses = accessesOf(failingLine, message);
  const deleted = lines.filter(({ kind }) => kind === 'delete').map(({ text }) => text.replace(/\s+/g, ''));
  return accesses.some((access) => deleted.some((text) => text.includes(access)));
}

/** The code of a line that may be what the message is about: `order.items` for a member `items`, `rows[` for an element. */
function accessesOf(failingLine: string, message: string): string[] {
  const code = failingLine.replace(/\s+/g, '');
  if (SUBSCRIPT.test(message)) return code.match(/[\w$.@]+\[/g) ?? [];
  const member = MEMBER.exec(message)
    ?.slice(1)
    .find((name) => name !== undefined);
  if (!member) return [];
  const escaped = member.replace(/[?!$]/g, '\\$&');
  return code.match(new RegExp(`[\\w$@)\\]]+(?:\\?|&)?\\.${escaped}(?![\\w$])`, 'g')) ?? [];
}
