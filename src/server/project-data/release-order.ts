import { isAncestor, listUpstreamRefs } from '#git/refs.ts';
import { assertOid, git } from '#git/run.ts';
import type { Deps } from '../deps.ts';

/** A release with its commit, where a call, a tag or its own name tells it. */
export interface KnownRelease {
  id: string | null;
  version: string;
  /** Full hash. */
  commit: string | null;
  source: 'created' | 'tag' | 'name' | null;
  /** Time of the commit, else of the first event. */
  time: Date | null;
}

type ReleaseDeps = Pick<Deps, 'db' | 'projectFiles'>;

/** Newest tags that count as releases. */
const MAX_TAGS = 1_000;
const MAX_ROWS = 5_000;
/** Created releases whose commits are looked up. */
const MAX_CREATED = 1_000;
/** A repository with very many tags takes git seconds. */
const GIT_TIMEOUT_MS = 3_000;
/** Releases before one that are compared with it. */
const MAX_CANDIDATES = 20;

/** Lists the releases of a project, newest first: created ones, tags with a number, and those that events name. */
export async function listKnownReleases(
  { db, projectFiles }: ReleaseDeps,
  projectId: string,
  { withTags = true }: { withTags?: boolean } = {},
): Promise<KnownRelease[]> {
  const repo = await projectFiles.repositories.open(projectId);
  const [rows, refs] = await Promise.all([
    db
      .selectFrom('releases')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy((eb) => eb.fn.coalesce('last_event', 'created_at'), 'desc')
      .limit(MAX_ROWS)
      .execute(),
    // Without git, releases have no tags.
    withTags
      ? listUpstreamRefs(repo, { max: MAX_TAGS, signal: AbortSignal.timeout(GIT_TIMEOUT_MS) }).catch(() => [])
      : [],
  ]);
  const hashes = rows.flatMap((row) => row.commit ?? commitInName(row.version) ?? []).slice(0, MAX_CREATED);
  const times = await readCommitTimes(repo, hashes).catch(() => new Map<string, Date>());
  const tags = new Map(
    refs.filter(({ kind, name }) => kind === 'tag' && /\d/.test(name)).map((tag) => [tag.name, tag]),
  );
  const used = new Set<string>();
  const named = rows.map((row): KnownRelease => {
    const tag = tagNames(row.version)
      .map((name) => tags.get(name))
      .find((found) => found !== undefined);
    if (tag) used.add(tag.name);
    const named = commitInName(row.version);
    const [commit, source] =
      row.commit !== null
        ? ([row.commit, 'created'] as const)
        : tag
          ? ([tag.commit, 'tag'] as const)
          : named !== null && times.has(named)
            ? ([named, 'name'] as const)
            : ([null, null] as const);
    const time = source === 'tag' ? new Date(tag!.time * 1000) : times.get(commit ?? '');
    return {
      id: row.commit === null ? null : row.id,
      version: row.version,
      commit,
      source,
      time: time ?? row.first_event ?? row.created_at,
    };
  });
  const others = [...tags.values()]
    .filter(({ name }) => !used.has(name))
    .map(({ name, commit, time }): KnownRelease => {
      return { id: null, version: name, commit, source: 'tag', time: new Date(time * 1000) };
    });
  return [...named, ...others].sort(
    (a, b) => Number(b.time) - Number(a.time) || b.version.localeCompare(a.version, 'en', { numeric: true }),
  );
}

/** Full hash that a release is named by: `shop@1d9f434…`; null for other names. */
function commitInName(version: string): string | null {
  return /^(?:.*@)?([0-9a-f]{40}(?:[0-9a-f]{24})?)$/.exec(version)?.[1] ?? null;
}

/** Commit times by full hash, of those commits that the repository has. */
async function readCommitTimes(repo: string, oids: string[]): Promise<Map<string, Date>> {
  if (oids.length === 0) return new Map();
  const { stdout } = await git(repo, ['log', '--no-walk=unsorted', '--ignore-missing', '--format=%H %ct'], {
    name: 'log',
    revisions: oids.map(assertOid),
    paths: [],
    timeoutMs: GIT_TIMEOUT_MS,
  });
  const lines = stdout.toString().trim().split('\n');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(' ')), new Date(Number(line.split(' ')[1]) * 1000)]),
  );
}

/** Names of tags that may stand for a release: `shop@1.4.0` is tagged `1.4.0`, `v1.4.0` or as a whole. */
function tagNames(version: string): string[] {
  const number = version.slice(version.lastIndexOf('@') + 1);
  return [version, number, `v${number}`, number.replace(/\+.*$/, ''), `v${number.replace(/\+.*$/, '')}`];
}

/** Order of the releases of a project. */
export interface ReleaseOrder {
  /** True when a release is this one or a later one; false where that is not known. */
  isAtLeast(release: string, other: string): boolean;
  /** True when a release is later than another; false where that is not known. */
  isAfter(release: string, other: string): boolean;
}

/** Loads the order of releases; without work for projects in which no error waits for a release. */
export async function loadReleaseOrder(deps: ReleaseDeps, projectId: string): Promise<ReleaseOrder> {
  const waiting = await deps.db
    .selectFrom('debug_groups')
    .select('id')
    .where('project_id', '=', projectId)
    .where((eb) =>
      eb.or([
        eb('solved_in', 'is not', null),
        eb('solved_after', 'is not', null),
        eb('snoozed_release', 'is not', null),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  const releases = waiting ? await listKnownReleases(deps, projectId) : [];
  return createReleaseOrder(releases);
}

/** Orders releases by their version numbers, else by the times of their commits or first events. */
function createReleaseOrder(releases: Pick<KnownRelease, 'version' | 'time'>[]): ReleaseOrder {
  const timeOf = new Map(releases.map(({ version, time }) => [version, time]));
  const compare = (release: string, other: string): number | null => {
    if (release === other) return 0;
    const byNumber = compareVersions(release, other);
    if (byNumber !== null) return byNumber;
    const [time, otherTime] = [timeOf.get(release), timeOf.get(other)];
    return time && otherTime ? Number(time) - Number(otherTime) : null;
  };
  return {
    isAtLeast: (release, other) => (compare(release, other) ?? -1) >= 0,
    isAfter: (release, other) => (compare(release, other) ?? -1) > 0,
  };
}

const VERSION = /^(?:(.*)@)?v?(\d+(?:\.\d+){1,3})(?:-([\w.-]+))?(?:\+.*)?$/;

/** Compares two version numbers of one package; null for other names. A version with a suffix precedes the one without. */
function compareVersions(a: string, b: string): number | null {
  const [, nameA = '', numberA, suffixA] = VERSION.exec(a) ?? [];
  const [, nameB = '', numberB, suffixB] = VERSION.exec(b) ?? [];
  if (numberA === undefined || numberB === undefined) return null;
  if (nameA !== '' && nameB !== '' && nameA !== nameB) return null;
  const [partsA, partsB] = [numberA.split('.').map(Number), numberB.split('.').map(Number)];
  for (let index = 0; index < 4; index++) {
    const difference = (partsA[index] ?? 0) - (partsB[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (suffixA === suffixB) return 0;
  if (suffixA === undefined || suffixB === undefined) return suffixA === undefined ? 1 : -1;
  return suffixA.localeCompare(suffixB, 'en', { numeric: true });
}

/** Commits of a release: those up to `commit` that the release before it, at `since`, does not have. */
export interface ReleaseRange {
  commit: string;
  since: string | null;
}

/** Finds the commits that are in a release and not in the one before; null where its commit is not known. */
export async function findReleaseRange(
  deps: ReleaseDeps,
  projectId: string,
  version: string | null,
): Promise<ReleaseRange | null> {
  if (version === null) return null;
  const releases = await listKnownReleases(deps, projectId);
  const commit = releases.find((one) => one.version === version)?.commit ?? null;
  if (commit === null) return null;
  const previous = await findPreviousRelease(deps, projectId, { releases, commit });
  return { commit, since: previous?.commit ?? null };
}

/** The newest release whose commit is an ancestor of another; null for the first. */
async function findPreviousRelease(
  { projectFiles }: Pick<Deps, 'projectFiles'>,
  projectId: string,
  { releases, commit }: { releases: KnownRelease[]; commit: string },
): Promise<KnownRelease | null> {
  const repo = await projectFiles.repositories.open(projectId);
  const at = releases.findIndex((one) => one.commit === commit);
  const older = releases
    .slice(at + 1)
    .filter((one) => one.commit !== null && one.commit !== commit)
    .slice(0, MAX_CANDIDATES);
  for (const one of older) {
    if (await isAncestor(repo, one.commit!, commit).catch(() => false)) return one;
  }
  return null;
}
