import { openBlobReader } from '#git/blobs.ts';
import { openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import { attachIndex } from '#memory/index/attached-indexes.ts';
import { indexRevision, type RevisionOptions } from '#memory/index/index-revision.ts';
import type { SharedIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { readPassageText } from '#search/code/search-code.ts';
import type { ResultPage } from '#search/projects/candidates.ts';
import { type ListedKey, listValues, type ValueCount } from '#search/projects/list-values.ts';
import { type IndexedType, searchProjects } from '#search/projects/search-projects.ts';
import type { ProjectSearch, SearchedProject } from '#search/projects/search-scope.ts';

interface ProjectInput {
  id: string;
  repo: string;
  shared: SharedIndex;
  /** Folder of the change index, or null. */
  hunks: string | null;
  /** Embedding of the text; null without an embedding model. */
  embedding: QueryEmbedding | null;
  /** Another revision (a full hash) to search; null for the indexed one. */
  at: { revision: string; limits: RevisionOptions['limits'] } | null;
  /** Only commits that this one reaches; null for all. */
  reachableFrom: string | null;
}

export interface ProjectSearchInput extends Omit<ProjectSearch, 'signal'> {
  type: IndexedType;
  projects: ProjectInput[];
}

export interface ProjectSearchResult extends ResultPage {
  /** Indexed part of the history by project, for searches of changes. */
  histories: { id: string; commits: number; total: number | null }[];
  /** Projects that the limit of time left unfinished. */
  timedOut: string[];
}

/** Bytes of a file that is read from git for an exact search. */
const MAX_BLOB_BYTES = 4 * 2 ** 20;

/** Searches several projects in this thread. */
export async function searchSharedProjects(
  { type, projects, ...search }: ProjectSearchInput,
  signal: AbortSignal,
): Promise<ProjectSearchResult> {
  const histories: ProjectSearchResult['histories'] = [];
  const closers: (() => void)[] = [];
  const open = async (input: ProjectInput): Promise<SearchedProject> => {
    const { id, repo, reachableFrom, embedding } = input;
    const index = await openIndexAt(input, signal);
    const openHunks = () => openChangeIndexIfUsable(input.hunks);
    if (type === 'changes') {
      const hunks = openHunks();
      histories.push({ id, commits: hunks?.commits ?? 0, total: hunks?.total ?? null });
    }
    const blobs = openBlobReader(repo, { signal });
    closers.push(() => blobs.close());
    const readText = (passage: number, file: number) =>
      readPassageText(index.code!, blobs, { passage, file });
    const readBlob = async (oid: string) => {
      const blob = await blobs.read(oid, MAX_BLOB_BYTES);
      return blob && 'content' in blob ? blob.content : Buffer.alloc(0);
    };
    return { id, repo, index, openHunks, embedding, reachableFrom, readText, readBlob };
  };
  try {
    const opened = mapLazily(projects, open);
    const page = await searchProjects(type, opened, { ...search, signal, projectCount: projects.length });
    return { ...page, histories };
  } finally {
    for (const close of closers) close();
  }
}

async function openIndexAt({ repo, shared, at }: ProjectInput, signal: AbortSignal) {
  const index = attachIndex(shared);
  return at ? await indexRevision(repo, index, at.revision, { limits: at.limits, signal }) : index;
}

/** Starts each item when the one before is done with. */
function* mapLazily<T, R>(items: readonly T[], map: (item: T) => R): Generator<R> {
  for (const item of items) yield map(item);
}

export interface ListValuesInput {
  projects: Pick<ProjectInput, 'shared'>[];
  key: ListedKey;
  text: string;
}

/** Lists values of a filter in several projects, the most frequent first. */
export function listSharedValues({ projects, key, text }: ListValuesInput): ValueCount[] {
  return listValues(
    projects.map(({ shared }) => attachIndex(shared)),
    key,
    text,
  );
}
