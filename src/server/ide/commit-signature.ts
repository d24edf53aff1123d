import type { Signature } from '#git/write.ts';

/** What git itself drops at both ends of a name. */
const CRUD = /^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g;

/** Who a commit is by: the account, without what could end a line or an address in the commit. */
export function commitSignature(
  user: { username: string; full_name: string | null; email: string },
  now: Date,
): Signature {
  const name = clean(user.full_name ?? '');
  return { name: name || user.username, email: clean(user.email), time: now.getTime() / 1000 };
}

function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}<>]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(CRUD, '');
}
