import type { Signature } from '#git/write.ts';

/** Characters that git strips from both ends of a name ("crud"). */
const GIT_CRUD = /^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g;

/** Author of a commit, without characters that could break the commit header. */
export function commitSignature(
  user: { username: string; full_name: string | null; email: string },
  now: Date,
): Signature {
  const name = sanitize(user.full_name ?? '');
  return { name: name || user.username, email: sanitize(user.email), time: now.getTime() / 1000 };
}

function sanitize(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}<>]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(GIT_CRUD, '');
}
