import { git } from '#git/run.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { ToolContext } from '../../tools/tool.ts';

/** A tag with the version in its name. */
export interface VersionTag {
  tag: string;
  oid: string;
  /** Time of its commit in seconds since 1970. */
  time: number;
  /** Name before the version, such as `rel` or `gson-parent`; empty for `v`. */
  prefix: string;
  numbers: number[];
  /** Pre-release in lower case, such as `b2`; empty for a final version. */
  preRelease: string;
}

/** Tags of a repository. */
export interface VersionTags {
  /** Ascending by version. */
  versions: VersionTag[];
  byName: ReadonlyMap<string, VersionTag>;
  /** Prefix of most versions. */
  mainPrefix: string;
}

/** `rel_2_1_0b2`, `gson-parent-2.13.2`, `v1.9.0-rc.1`, `2.3`. */
const VERSION_NAME =
  /^(?<prefix>.*?)[-_/@]?v?(?<numbers>\d{1,8}(?:[._]\d{1,8}){0,4})(?:[-._]?(?<pre>(?:a|alpha|b|beta|rc|c|pre|dev|m|snapshot|preview|canary|next)[-._]?\d{0,4}(?:\.\d{1,4})?))?(?:[-._]?(?:final|ga|release|post\d*))?$/i;
const FORMAT = '--format=%(refname:lstrip=2)%00%(objectname)%00%(*objectname)%00%(creatordate:unix)';
const MAX_TAGS = 20_000;
const TIMEOUT_MS = 5_000;

const cache = memoizeByIdentity((_index: RepositoryIndex) => new Map<string, Promise<VersionTags>>());

/** Lists the tags of a repository with their versions, once per index. */
export function listVersionTags({ repo, index }: Pick<ToolContext, 'repo' | 'index'>): Promise<VersionTags> {
  const known = cache(index);
  const found = known.get(repo) ?? loadTags(repo, index);
  known.set(repo, found);
  // What failed once, such as by a busy machine's timeout, is read again.
  found.catch(() => known.delete(repo));
  return found;
}

/** Parses the version in a name; null for names without one. */
export function parseVersion(name: string): Pick<VersionTag, 'prefix' | 'numbers' | 'preRelease'> | null {
  const groups = VERSION_NAME.exec(name)?.groups;
  if (!groups) return null;
  return {
    prefix: groups.prefix!.toLowerCase().replace(/^v$/, ''),
    numbers: groups.numbers!.split(/[._]/).map(Number),
    preRelease: normalizePreRelease(groups.pre ?? ''),
  };
}

/** Orders versions; a pre-release comes before its final version. */
export function compareVersionTags(
  a: Pick<VersionTag, 'numbers' | 'preRelease'>,
  b: Pick<VersionTag, 'numbers' | 'preRelease'>,
): number {
  const length = Math.max(a.numbers.length, b.numbers.length);
  for (let i = 0; i < length; i++) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.preRelease === b.preRelease) return 0;
  if (a.preRelease === '') return 1;
  if (b.preRelease === '') return -1;
  return a.preRelease.localeCompare(b.preRelease, 'en', { numeric: true });
}

/** The version before a tag: final for a final one, made earlier and of the same prefix; null for the first. */
export function previousVersion(tag: VersionTag, { versions }: VersionTags): VersionTag | null {
  const earlier = versions.filter(
    (other) =>
      other.prefix === tag.prefix &&
      compareVersionTags(other, tag) < 0 &&
      (tag.preRelease !== '' || other.preRelease === '') &&
      other.time <= tag.time,
  );
  return earlier.at(-1) ?? null;
}

/** Tags with a version as written, best first: of the main prefix, the same digits before the same number. */
export function findVersions(written: string, { versions, byName, mainPrefix }: VersionTags): VersionTag[] {
  const exact = byName.get(written.toLowerCase());
  if (exact) return [exact];
  const wanted = parseVersion(written);
  if (!wanted) return [];
  const text = wanted.numbers.join('.');
  const rank = ({ prefix, numbers }: VersionTag) =>
    Number(prefix !== (wanted.prefix || mainPrefix)) * 2 + Number(numbers.join('.') !== text);
  return versions
    .filter(({ prefix }) => wanted.prefix === '' || prefix === wanted.prefix)
    .filter((version) => compareVersionTags(version, wanted) === 0)
    .sort((a, b) => rank(a) - rank(b));
}

/** Tags right before and after a version that has none, of the main prefix. */
export function closestVersions(written: string, { versions, mainPrefix }: VersionTags): VersionTag[] {
  const wanted = parseVersion(written);
  if (!wanted) return [];
  const own = versions.filter(({ prefix }) => prefix === mainPrefix);
  const before = own.findLast((version) => compareVersionTags(version, wanted) < 0);
  const after = own.find((version) => compareVersionTags(version, wanted) > 0);
  return [before, after].filter((version) => version !== undefined);
}

async function loadTags(repo: string, { commits }: RepositoryIndex): Promise<VersionTags> {
  const { stdout } = await git(repo, ['for-each-ref', `--count=${MAX_TAGS}`, FORMAT, 'refs/tags'], {
    name: 'for-each-ref',
    timeoutMs: TIMEOUT_MS,
  });
  const tags = stdout
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line): VersionTag => {
      const [tag = '', object = '', peeled = '', created = ''] = line.split('\0');
      const oid = peeled || object;
      const commit = commits.find(oid);
      const time = commit >= 0 ? commits.time(commit) : Number(created);
      const version = parseVersion(tag) ?? { prefix: tag.toLowerCase(), numbers: [], preRelease: '' };
      return { tag, oid, time, ...version };
    });
  const versions = tags.filter(({ numbers }) => numbers.length > 0).sort(compareVersionTags);
  const byName = new Map(tags.map((tag) => [tag.tag.toLowerCase(), tag]));
  return { versions, byName, mainPrefix: commonestPrefix(versions) };
}

function commonestPrefix(versions: VersionTag[]): string {
  const groups = [...Map.groupBy(versions, ({ prefix }) => prefix)];
  return groups.reduce((best, group) => (group[1].length > best[1].length ? group : best), [
    '',
    [],
  ] as (typeof groups)[0])[0];
}

/** `beta-2`, `beta.2` and `b2` are the same. */
function normalizePreRelease(text: string): string {
  return text
    .toLowerCase()
    .replace(/[-._]/g, '')
    .replace(/^alpha/, 'a')
    .replace(/^beta/, 'b')
    .replace(/^c(?=\d)/, 'rc');
}
