import { splitLines } from './refs.ts';
import { assertOid, gitStream } from './run.ts';

/** A tag, with its time in seconds since 1970. */
interface Release {
  name: string;
  time: number;
}

/** A name with a number, such as `v5.4.0`; other tags mark no release. */
const VERSION = /\d/;
const MAX_TAGS = 20;

/** The earliest tag of a release that contains a commit (a full hash); null before the first. */
export async function findFirstRelease(
  repo: string,
  oid: string,
  signal?: AbortSignal,
): Promise<Release | null> {
  const args = [
    'for-each-ref',
    `--contains=${assertOid(oid)}`,
    '--sort=creatordate',
    `--count=${MAX_TAGS}`,
    '--format=%(refname:lstrip=2)%00%(creatordate:unix)',
  ];
  const options = { name: 'for-each-ref', revisions: ['refs/tags'], ...(signal && { signal }) };
  for await (const line of splitLines(gitStream(repo, args, options))) {
    const [name = '', time = ''] = line.split('\0');
    if (VERSION.test(name)) return { name, time: Number(time) };
  }
  return null;
}
