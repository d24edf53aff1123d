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

/** A project whose revisions can be picked. */
export interface RevisedProject {
  id: string;
  /** Shown where several projects are listed together. */
  name?: string;
  branch: string | null;
  indexed_commit: string | null;
}

interface KnownRevisions {
  project: RevisedProject;
  refs: readonly { name: string; kind: 'branch' | 'tag'; commit: string; indexed: boolean }[];
  own: readonly { name: string; head: string }[];
  commits: readonly { hash: string; message: string }[];
}

const MAX_PER_GROUP = 50;
const HASH = /^[0-9a-f]{7,64}$/;

/** Revisions of one project, its default branch first. */
function listRevisions({ project, refs, own, commits }: KnownRevisions): RevisionOption[] {
  const { branch: name, indexed_commit: indexed } = project;
  const head = (indexed ?? own.find((branch) => branch.name === name)?.head ?? '').slice(0, 7);
  const others = own.filter((branch) => branch.name !== name);
  return [
    { kind: 'head', name: name ?? head, revision: null, detail: head, isIndexed: indexed !== null },
    ...others.map(
      (branch): RevisionOption => ({
        ...{ kind: 'own', name: branch.name, revision: branch.name },
        ...{ detail: branch.head.slice(0, 7), isIndexed: false },
      }),
    ),
    ...refs.map(
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
}

/** Names of the default branches of projects, each once. */
export function defaultBranches(projects: readonly RevisedProject[]): string {
  const names = projects.map(({ branch, indexed_commit }) => branch ?? indexed_commit?.slice(0, 7) ?? '');
  return [...new Set(names)].filter(Boolean).join(', ');
}

/** Branches and tags of several projects by name, each with the projects that have it. */
function mergeRevisions(known: readonly KnownRevisions[]): RevisionOption[] {
  const name = defaultBranches(known.map(({ project }) => project));
  const head: RevisionOption = { kind: 'head', name, revision: null, detail: '', isIndexed: true };
  const merged = new Map([['head', head]]);
  for (const one of known) {
    for (const option of listRevisions(one)) {
      if (option.kind === 'head' || option.kind === 'commits') continue;
      const key = `${option.kind} ${option.name}`;
      const other = merged.get(key);
      const projects = [other?.detail, one.project.name].filter(Boolean).join(', ');
      merged.set(key, {
        ...option,
        detail: projects,
        isIndexed: option.isIndexed && other?.isIndexed !== false,
      });
    }
  }
  return [...merged.values()];
}

/** Groups the revisions that match a text; the text itself comes last unless it is the name of one. */
export function groupRevisions(text: string, known: readonly KnownRevisions[]): RevisionGroup[] {
  const [first, ...others] = known;
  const options =
    first && others.length === 0
      ? listRevisions(first).filter(({ kind, name }) => kind !== 'branches' || name !== first.project.branch)
      : mergeRevisions(known);
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
