import { existsSync } from 'node:fs';
import { log } from '#git/log.ts';
import { requireReadableTree } from '#git/tree.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { toBuffer, viewShardFile } from '../bytes/container.ts';
import { cutFileApart } from '../chunk/parser-processes.ts';
import { budgetOf, type IndexLimits } from '../limits.ts';
import type { Memory } from '../repository-index.ts';
import { readContents, readTree, showFiles } from './build-code.ts';
import { CODE, COMMITS, FILES_FILE, HISTORY_FILE, openMemory, type SharedSide } from './generation-reader.ts';
import { KnownContents, openKnown } from './indexed-contents.ts';
import { CodeBuilder } from './segments/code-segment-builder.ts';
import { buildHistory } from './segments/commit-order.ts';
import { CommitsBuilder } from './segments/commit-segment-builder.ts';

/** What reading another revision may cost, and who may end it. */
export interface RevisionOptions {
  limits: IndexLimits;
  signal?: AbortSignal;
}

/** Contents that are read for one revision at most; files beyond that are left out and listed so. */
const MOST_READ = 5000;
/** Bytes that the revisions opened in a thread may hold beyond the memories that they are made of. */
const MOST_BYTES = 128 * 2 ** 20;
/** What is indexed for one revision beside the memory: of its commits and of its contents each. Newest commits first. */
const REVISION_BUDGET = budgetOf(64 * 2 ** 20);
/** Bytes that git prints of its commits. */
const MAX_LOG_BYTES = 64 * 2 ** 20;

interface Opened {
  readonly repo: string;
  readonly memory: Promise<Memory>;
  bytes: number;
}

/** Revisions opened in this thread, the last one used at the end. */
const opened = new Map<string, Opened>();

/**
 * The memory as of another commit, given by its full hash: its files and the commits that it reaches, numbered as
 * a build of that commit would. Only what the memory lacks is read, into segments that stay in this thread's
 * memory until others need the room. Rejects with an AppError when the repository lacks the commit, or when
 * stopped.
 */
export async function memoryAt(
  repo: string,
  memory: Memory,
  revision: string,
  options: RevisionOptions,
): Promise<Memory> {
  if (revision === memory.revision) return memory;
  const key = `${memory.generation} ${memory.code === null ? 'history' : 'all'} ${revision}`;
  const entry = opened.get(key) ?? { repo, memory: open(repo, memory, revision, options), bytes: 0 };
  opened.delete(key);
  opened.set(key, entry);
  try {
    const found = await entry.memory;
    entry.bytes = found.bytes - memory.bytes;
    forgetOldest();
    return found;
  } catch (error) {
    if (opened.get(key) === entry) opened.delete(key);
    throw error;
  }
}

/** Forgets revisions opened in this thread whose repository has been deleted. */
export function forgetRemovedRevisions(): void {
  for (const [key, { repo }] of opened) if (!existsSync(repo)) opened.delete(key);
}

/** How many revisions this thread keeps. */
export const countOpenRevisions = () => opened.size;

function forgetOldest(): void {
  let total = 0;
  for (const [key, { bytes }] of [...opened].reverse()) {
    total += bytes;
    if (total > MOST_BYTES && total > bytes) opened.delete(key);
  }
}

async function open(
  repo: string,
  memory: Memory,
  revision: string,
  options: RevisionOptions,
): Promise<Memory> {
  const { generation, code } = memory.shared;
  await requireReadableTree(repo, revision, options.signal);
  const commits = await commitsAt(repo, memory, revision, options);
  const codeSide = code && (await codeAt(repo, code, revision, options));
  await yieldIfDue(options.signal);
  return openMemory({ generation: `${generation}@${revision}`, commits, code: codeSide });
}

async function commitsAt(
  repo: string,
  memory: Memory,
  revision: string,
  { signal }: RevisionOptions,
): Promise<SharedSide> {
  const segments = [...memory.shared.commits.segments];
  if (memory.commits.find(revision) === -1) {
    const tips = segments.flatMap(({ buffer }) => viewShardFile(buffer).list('tips'));
    const builder = new CommitsBuilder();
    const options = {
      from: revision,
      not: tips,
      maxBytes: MAX_LOG_BYTES,
      renameMs: 1_000,
      signal,
    };
    for await (const commit of log(repo, options)) {
      if (builder.count > 0 && builder.heldBytes > REVISION_BUDGET.indexBytes) break;
      builder.add(commit);
      await yieldIfDue(signal);
    }
    const name = `${COMMITS}@${revision}`;
    if (builder.count > 0)
      segments.push({ name, buffer: toBuffer(COMMITS, builder.finish([revision])), texts: null });
  }
  await yieldIfDue(signal);
  const files = segments.map(({ name, buffer }) => ({ name, file: viewShardFile(buffer) }));
  return { shown: toBuffer(HISTORY_FILE, buildHistory([revision], files).draft), segments };
}

async function codeAt(
  repo: string,
  code: SharedSide,
  revision: string,
  { limits, signal = new AbortController().signal }: RevisionOptions,
): Promise<SharedSide> {
  const task = { repo, revision, limits, budget: REVISION_BUDGET };
  const { files, skipped } = await readTree(task, signal);
  await yieldIfDue(signal);
  const segments = [...code.segments];
  const known = new KnownContents(segments.map(({ name, buffer }) => openKnown(name, viewShardFile(buffer))));
  await yieldIfDue(signal);
  const fresh = known.lacking(files);
  for (const { key } of fresh.splice(MOST_READ)) known.omit(key, 'over_cap');
  const builder = new CodeBuilder(null);
  const cut = (path: string, text: string) => cutFileApart(path, text, { signal });
  await readContents(builder, task, fresh, known, { onProgress: () => {}, signal, cut });
  await yieldIfDue(signal);
  const name = `${CODE}@${revision}`;
  if (!builder.isEmpty) segments.push({ name, buffer: toBuffer(CODE, builder.finish()), texts: null });
  await yieldIfDue(signal);
  const shown = showFiles(files, skipped, known).builder;
  await yieldIfDue(signal);
  const names = segments.map((segment) => segment.name);
  return { shown: toBuffer(FILES_FILE, shown.finish(revision, names)), segments };
}
