/** A revision that can be picked. */
export interface RevisionOption {
  kind: 'head' | 'own' | 'branches' | 'tags' | 'commits' | 'typed';
  /** Shown name. */
  name: string;
  /** Name for the URL; null for the indexed commit. */
  revision: string | null;
  detail: string;
  /** Its commits are in the index; another revision is indexed when it is first asked about. */
  isIndexed: boolean;
}

/** Options of one kind. */
export interface RevisionGroup {
  kind: RevisionOption['kind'];
  items: RevisionOption[];
}

interface KnownRevisions {
  project: { branch: string | null; indexed_commit: string | null };
  refs: readonly { name: string; kind: 'branch' | 'tag'; commit: string; indexed: boolean }[];
  own: readonly { name: string; head: string }[];
  commits: readonly { hash: string; message: string }[];
}

const MAX_PER_GROUP = 50;
const HASH = /^[0-9a-f]{7,64}$/;

/** Groups the revisions that match a text; the text itself comes last unless it is the name of one. */
export function groupRevisions(
  text: string,
  { project, refs, own, commits }: KnownRevisions,
): RevisionGroup[] {
  const head = project.indexed_commit?.slice(0, 7) ?? '';
  const options: RevisionOption[] = [
    { kind: 'head', name: project.branch ?? head, revision: null, detail: head, isIndexed: true },
    ...own.map(
      (branch): RevisionOption => ({
        ...{ kind: 'own', name: branch.name, revision: branch.name },
        ...{ detail: branch.head.slice(0, 7), isIndexed: false },
      }),
    ),
    ...refs
      .filter(({ kind, name }) => kind === 'tag' || name !== project.branch)
      .map(
        ({ name, kind, commit, indexed }): RevisionOption => ({
          ...{ kind: kind === 'tag' ? 'tags' : 'branches', name, revision: name },
          ...{ detail: commit.slice(0, 7), isIndexed: indexed },
        }),
      ),
    ...commits.map(
      ({ hash, message }): RevisionOption => ({
        ...{ kind: 'commits', name: hash.slice(0, 7), revision: hash },
        ...{ detail: message, isIndexed: true },
      }),
    ),
  ];
  const wanted = text.trim();
  const needle = wanted.toLowerCase();
  const matching = options.filter(({ name, detail }) => `${name}\n${detail}`.toLowerCase().includes(needle));
  const isKnown = matching.some(({ name, revision }) => name === wanted || revision === wanted);
  if (wanted !== '' && !isKnown) {
    matching.push({ kind: 'typed', name: wanted, revision: wanted, detail: '', isIndexed: false });
  }
  const kinds = HASH.test(wanted) ? (['typed', ...KINDS] as const) : ([...KINDS, 'typed'] as const);
  return kinds
    .map((kind) => ({
      kind,
      items: matching.filter((option) => option.kind === kind).slice(0, MAX_PER_GROUP),
    }))
    .filter(({ items }) => items.length > 0);
}

const KINDS = ['head', 'own', 'branches', 'tags', 'commits'] as const;
