import type { FastifyInstance } from 'fastify';
import { type BlameRun, codeRoutes, type FunctionChange } from '#contract/code.ts';
import { isoTime } from '#contract/iso-time.ts';
import { MAX_DIFF_HUNKS } from '#contract/projects.ts';
import { diffBetween, showCommit } from '#git/diff.ts';
import { limitDiff } from '#git/diff-limits.ts';
import { detectLanguage } from '#memory/chunk/languages.ts';
import type { Definition } from '#memory/chunk/outline.ts';
import { findDefinitionsInText } from '#memory/chunk/parser-processes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, type RequestContext, serve } from '../http/serve.ts';
import { acceptsEventStream, createEventStream } from '../http/sse.ts';
import { projectAccess } from '../identity/access.ts';
import { readRefList } from '../project-data/commit-refs.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { requireIndex } from '../project-data/storage.ts';
import { blameFile } from './blame-file.ts';
import { fileVersions } from './file-versions.ts';
import { findSymbolLines } from './find-symbol.ts';
import { listFunctionChanges } from './function-history.ts';
import { listFolderWithCommits } from './list-folder.ts';
import { listAnswersAbout } from './queries.ts';
import { readImage, readText } from './read-text.ts';

const MAX_REFS = 500;
const MAX_SYMBOLS = 2_000;
const FILE_DIFF_LIMITS = { maxFiles: 1, maxHunks: MAX_DIFF_HUNKS, maxBytes: 700 * 1024 };

/** Registers the routes of files, folders, blame, symbols and functions. */
export function registerCode(app: FastifyInstance, deps: Deps): void {
  serve(app, codeRoutes.text, async (call) => {
    const { repo, index, reader, commit } = await openRevision(deps, call);
    const path = call.params['*'];
    const file = await readFromGit(deps, reader, (signal) => readText(repo, { commit, path, signal }));
    return { path, commit, ...file, skipped: commit === index.revision ? skippedReason(index, path) : null };
  });

  serve(app, codeRoutes.image, async (call) => {
    const { repo, reader, commit } = await openRevision(deps, call);
    const path = call.params['*'];
    return await readFromGit(deps, reader, (signal) => readImage(repo, { commit, path, signal }));
  });

  serve(app, codeRoutes.folder, async (call) => {
    const { repo, index, reader, commit } = await openRevision(deps, call);
    const { path } = call.query;
    const listed = await readFromGit(deps, reader, (signal) =>
      listFolderWithCommits({ repo, index, commit, path, signal }),
    );
    return { path, commit, ...listed };
  });

  serve(app, codeRoutes.blame, async (call) => {
    const { request, reply } = call;
    const { repo, index, reader, commit } = await openRevision(deps, call);
    const file = { repo, index, commit, path: call.params['*'] };
    const keepFormatting = call.query.formatting === 'keep';
    const read = (onRuns?: (runs: BlameRun[]) => void) =>
      readFromGit(deps, reader, (signal) => blameFile({ ...file, keepFormatting, onRuns, signal }));
    if (!acceptsEventStream(request)) return await read();
    const { maxReplyBytes } = codeRoutes.blame;
    return createEventStream(request, reply, (send) => read((runs) => send('runs', { runs })), maxReplyBytes);
  });

  serve(app, codeRoutes.versions, async (call) => {
    const { repo, index, reader } = await openProject(deps, call);
    const path = call.params['*'];
    const answers = await listAnswersAbout(deps.db, {
      projectId: reader.project.id,
      userId: reader.userId,
      path,
    });
    return { ...(await fileVersions({ repo, index }, path)), answers };
  });

  serve(app, codeRoutes.outline, async (call) => {
    const { repo, reader, commit } = await openRevision(deps, call);
    const path = call.params['*'];
    return await readFromGit(deps, reader, async (signal) => {
      const { text } = await readText(repo, { commit, path, signal });
      const found = await findDefinitionsInText(detectLanguage(path, text), text, { signal });
      return { symbols: found.flatMap(flattenDefinition).slice(0, MAX_SYMBOLS) };
    });
  });

  registerSymbolRoutes(app, deps);
}

function registerSymbolRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, codeRoutes.change, async (call) => {
    const { repo, index, reader } = await openProject(deps, call);
    const { commit: oid } = await resolveRevision(deps, { ...reader, name: call.query.commit });
    const ignoreWhitespace = call.query.whitespace === 'ignore';
    return await readFromGit(deps, reader, async (signal) => {
      const change = { oid, path: call.params['*'], ignoreWhitespace, signal };
      return { file: await readFileChange(repo, index, change) };
    });
  });

  serve(app, codeRoutes.symbol, async (call) => {
    const { repo, index, reader } = await openProject(deps, call);
    const { name, path } = call.query;
    return await readFromGit(deps, reader, (signal) => findSymbolLines(repo, index, { name, path, signal }));
  });

  serve(app, codeRoutes.function, async (call) => {
    const { repo, index, reader } = await openProject(deps, call);
    const path = call.params['*'];
    const { request, reply } = call;
    const file = { repo, index, path, name: call.query.name };
    const read = async (onChange?: (change: FunctionChange) => void) => {
      const history = await readFromGit(deps, reader, (signal) =>
        listFunctionChanges({ ...file, onChange, signal }),
      );
      const projectId = reader.project.id;
      const answers = await listAnswersAbout(deps.db, { projectId, userId: reader.userId, path });
      return { ...history, answers };
    };
    if (!acceptsEventStream(request)) return await read();
    return createEventStream(request, reply, (send) =>
      read((change) => send('changes', { changes: [change] })),
    );
  });

  serve(app, codeRoutes.refs, async (call) => {
    const { repo, index, reader } = await openProject(deps, call);
    const refs = await readFromGit(deps, reader, (signal) => readRefList(repo, index, signal));
    const present = refs.slice(0, MAX_REFS).map(({ time, ...ref }) => ({
      ...ref,
      timestamp: isoTime(time),
      indexed: index.commits.find(ref.commit) >= 0,
    }));
    return { refs: present, truncated: refs.length > MAX_REFS };
  });
}

type ProjectCall = Pick<RequestContext<typeof codeRoutes.refs>, 'caller' | 'params' | 'reply'>;

async function openProject(deps: Deps, { caller, params, reply }: ProjectCall) {
  const project = await projectAccess(deps, caller, params.id, 'viewer');
  const index = await requireIndex(deps, project);
  const repo = await deps.projectFiles.repositories.open(project.id);
  const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
  return { repo, index, reader };
}

async function openRevision(deps: Deps, call: ProjectCall & { query: { ref?: string | undefined } }) {
  const opened = await openProject(deps, call);
  const { ref } = call.query;
  const commit = ref
    ? (await resolveRevision(deps, { ...opened.reader, name: ref })).commit
    : opened.index.revision;
  return { ...opened, commit };
}

function skippedReason({ code }: RepositoryIndex, path: string): string | null {
  if (!code || code.fileNumber(path) >= 0) return null;
  for (let i = 0; i < code.skippedCount; i++) {
    const file = code.skipped(i);
    if (file.path === path) return file.reason;
  }
  return null;
}

/** Change of one file in a commit against its first parent, with its former name where it was renamed. */
async function readFileChange(
  repo: string,
  { commits }: RepositoryIndex,
  change: { oid: string; path: string; ignoreWhitespace: boolean; signal: AbortSignal },
) {
  const { oid, path, ignoreWhitespace, signal } = change;
  const number = commits.find(oid);
  const at = number < 0 ? -1 : commits.paths(number).indexOf(commits.pathNumber(path));
  const former = at < 0 ? path : commits.path(commits.oldPaths(number)[at]!);
  const [parent] = number < 0 ? [] : commits.parents(number);
  const options = { paths: [...new Set([path, former])], maxBytes: 1_000_000, ignoreWhitespace, signal };
  const files =
    parent === undefined
      ? await showCommit(repo, oid, options)
      : await diffBetween(repo, commits.oid(parent), oid, options);
  return limitDiff(files, FILE_DIFF_LIMITS)[0] ?? null;
}

function flattenDefinition({ names, start, end, container, children }: Definition): {
  name: string;
  start: number;
  end: number;
  container: boolean;
}[] {
  const own = { name: names[0] ?? '', start: start + 1, end: end + 1, container };
  return [own, ...(container ? children.flatMap(flattenDefinition) : [])];
}
