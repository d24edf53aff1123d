import type { FastifyInstance } from 'fastify';
import { isoTime } from '#contract/iso-time.ts';
import { MAX_PALETTE_PROJECTS, paletteRoutes } from '#contract/palette.ts';
import {
  findCommitsByName,
  findFilesByName,
  findSymbolsByName,
  newestCommits,
} from '#search/names/find-names.ts';
import type { NameTable } from '#search/names/name-table.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { createNameTables } from './name-tables.ts';
import { findChatsByTitle, findErrorsByTitle, findIssuesByTitle, listPaletteProjects } from './queries.ts';

const MAX_FILES = 8;
const MAX_SYMBOLS = 6;
const MAX_COMMITS = 5;
const MAX_ISSUES = 4;
const MAX_ERRORS = 4;
const MAX_CHATS = 4;
/** Items of a kind that is alone in the list. */
const MAX_ALONE = 8;
/** A first request waits a moment for small repositories. */
const PREPARE_MS = 150;
const DEADLINE_MS = 5_000;
/** Lead of the page's project over equal names of others. */
const OWN_PROJECT_BONUS = 120;

/** Registers the `palette` routes. */
export function registerPalette(app: FastifyInstance, deps: Deps): void {
  const tables = createNameTables(deps);

  serve(app, paletteRoutes.find, async ({ caller, query, reply }) => {
    const started = performance.now();
    const { userId } = caller;
    const { q, kind, project_id: projectId } = query;
    const all = await listPaletteProjects(deps.db, { userId, projectId });
    const projects = all.slice(0, MAX_PALETTE_PROJECTS);
    for (const project of projects) tables.get(project);
    await tables.settle(PREPARE_MS);
    const named = projects.flatMap((project) => {
      const table = tables.get(project);
      return table ? [{ id: project.id, isOwn: project.id === projectId, table }] : [];
    });
    const task = { userId, deadlineMs: DEADLINE_MS, signal: abortOnDisconnect(reply) };
    const text = { userId, projectId, q };
    const [names, issues, errors, chats] = await Promise.all([
      deps.queues.names.run(task, (signal) => findNames(named, { q, kind, signal })),
      kind !== 'symbols' && q !== '' ? findIssuesByTitle(deps.db, { ...text, limit: MAX_ISSUES }) : [],
      kind !== 'symbols' && (q !== '' || kind === 'history')
        ? findErrorsByTitle(deps.db, { ...text, limit: kind === 'history' ? MAX_ALONE : MAX_ERRORS })
        : [],
      kind === 'all' && q !== '' ? findChatsByTitle(deps.db, { ...text, limit: MAX_CHATS }) : [],
    ]);
    return {
      ...names,
      ...{ issues, errors, chats },
      preparing: projects.filter((project) => tables.isPreparing(project)).length,
      omitted: all.length - projects.length,
      took_ms: Math.round((performance.now() - started) * 10) / 10,
    };
  });
}

interface NamedTable {
  id: string;
  isOwn: boolean;
  table: NameTable;
}

interface NameQuery {
  q: string;
  kind: 'all' | 'symbols' | 'history';
  signal: AbortSignal;
}

async function findNames(projects: readonly NamedTable[], { q, kind, signal }: NameQuery) {
  const limits = {
    files: kind === 'all' ? MAX_FILES : 0,
    symbols: kind === 'all' ? MAX_SYMBOLS : kind === 'symbols' ? MAX_ALONE : 0,
    commits: kind === 'all' ? MAX_COMMITS : kind === 'history' ? MAX_ALONE : 0,
  };
  const [files, symbols, commits] = [[], [], []] as [
    Ranked<FileItem>[],
    Ranked<SymbolItem>[],
    Ranked<CommitItem>[],
  ];
  for (const { id, isOwn, table } of projects) {
    const bonus = isOwn ? OWN_PROJECT_BONUS : 0;
    const options = { signal, limit: MAX_ALONE };
    if (limits.files > 0) {
      for (const { name, positions, score } of await findFilesByName(table, q, options))
        files.push({ rank: score + bonus, item: { project_id: id, path: name, positions } });
    }
    if (limits.symbols > 0) {
      for (const { name, positions, score, path, start, end } of await findSymbolsByName(table, q, options))
        symbols.push({ rank: score + bonus, item: { project_id: id, name, positions, path, start, end } });
    }
    if (limits.commits === 0 || (q === '' && kind === 'all')) continue;
    const found =
      q === ''
        ? newestCommits(table, limits.commits)
        : findCommitsByName(table, q, { limit: limits.commits });
    for (const { hash, subject, time } of found) {
      const item = { project_id: id, hash, subject, timestamp: isoTime(time) };
      commits.push({ rank: (isOwn ? 1e12 : 0) + (time || 0), item });
    }
  }
  return {
    files: best(files, limits.files),
    symbols: best(symbols, limits.symbols),
    commits: best(commits, limits.commits),
  };
}

interface Ranked<T> {
  rank: number;
  item: T;
}

type FileItem = { project_id: string; path: string; positions: number[] };
type SymbolItem = FileItem & { name: string; start: number; end: number };
type CommitItem = { project_id: string; hash: string; subject: string; timestamp: string };

function best<T>(found: Ranked<T>[], limit: number): T[] {
  return found
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map(({ item }) => item);
}
