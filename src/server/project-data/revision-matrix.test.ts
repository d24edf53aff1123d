import { glob, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { TOOLS } from '#assistant/tools/registry.ts';
import { analysisRoutes } from '#contract/analysis.ts';
import { apiRoutes } from '#contract/api.ts';
import { branchRoutes } from '#contract/branches.ts';
import { changeCheckRoutes } from '#contract/change-check.ts';
import { chatRoutes } from '#contract/chat.ts';
import { codeRoutes } from '#contract/code.ts';
import { debugRoutes } from '#contract/debug.ts';
import { historyRoutes } from '#contract/history.ts';
import { ideRoutes } from '#contract/ide.ts';
import { impactRoutes } from '#contract/impact.ts';
import { projectRoutes } from '#contract/projects.ts';
import { proofRoutes } from '#contract/proofs.ts';
import { DEFAULT_RATE_LIMITS } from '#contract/rate-limits.ts';
import { releaseRoutes } from '#contract/releases.ts';
import type { Route } from '#contract/route.ts';
import { searchRoutes } from '#contract/search.ts';
import { git } from '#git/run.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { runProjectTool } from '../llm/project-tools.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { projectStorage } from './storage.ts';

/** Every call and tool that takes a revision × names of what a member may see and of what they may not. */

/** Fields by which a call could name a commit. */
const NAMES_COMMIT = /^(?:ref|revision|at|from|to|base|head|hash|oid|branch|good|bad|revert|.*sha|.*commit)$/;

type Outcome = { status: number; message: string | undefined };
type Ask = (name: string) => Promise<Outcome>;

let upstream: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let bea: TestUser;
let vic: TestUser;
let id: string;
let repo: string;
/** Full hashes. */
const at: Record<string, string> = {};

const run = async (args: string[], input = '') =>
  (await git(repo, args, { name: args[0]!, input, env: AUTHOR })).stdout.toString().trim();
const AUTHOR = {
  GIT_AUTHOR_NAME: 'Eve',
  GIT_AUTHOR_EMAIL: 'eve@example.org',
  GIT_COMMITTER_NAME: 'Eve',
  GIT_COMMITTER_EMAIL: 'eve@example.org',
};

beforeAll(async () => {
  upstream = await buildRepository(async (repository) => {
    at.first = await repository.commit({ files: { 'a.js': 'export const one = 1;\n' } });
    await repository.tag('v1.0');
    await repository.branch('side');
    at.side = await repository.commit({ files: { 'side.js': 'export const side = 1;\n' } });
    await repository.switch('main');
    at.main = await repository.commit({ files: { 'a.js': 'export const one = 2;\n' } });
  });
  gitServer = await serveRepositories(upstream.folder);
  const limits = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  const git = { ...limits, allowedPrivateHosts: [gitServer.host] };
  const proofsPerUser = { max: 10_000, seconds: 3_600 };
  app = await testApp({ work: true, config: { git, limits: { ...DEFAULT_RATE_LIMITS, proofsPerUser } } });
  ada = await app.signUp('ada');
  [bea, vic] = [await app.signUp('bea'), await app.signUp('vic')];
  const body = { name: 'Revisions', git_url: `${gitServer.url}/${upstream.name}` };
  id = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  repo = projectStorage(app.deps.config.dataDir, id).repo;
  await app.deps.db
    .insertInto('project_members')
    .values([
      { project_id: id, user_id: bea.id, role: 'editor' },
      { project_id: id, user_id: vic.id, role: 'viewer' },
    ])
    .execute();
  await untilReady();
  await app.call(projectRoutes.update, { params: { id }, body: { may_run: true } }, ada);
  at.theirs = await save(bea, 'secret.js', 'export const secret = 1;\n');
  at.own = await save(ada, 'mine.js', 'export const mine = 1;\n');
  at.dangling = await run(['commit-tree', `${at.main}^{tree}`, '-p', at.main!, '-m', 'Gone']);
  at.tree = await run(['rev-parse', `${at.theirs}^{tree}`]);
  at.blob = await run(['rev-parse', `${at.theirs}:secret.js`]);
  // Refs that no reader has made, and names that git would resolve to another user's branch.
  for (const ref of ['refs/notes/commits', 'refs/replace/x', 'refs/stash', 'ORIG_HEAD', 'FETCH_HEAD']) {
    await run(['update-ref', ref, at.theirs!]);
  }
  await run(['update-ref', 'refs/heads/refs/remotes/origin/shadow', at.theirs!]);
});

afterAll(async () => {
  await app.close();
  await gitServer.close();
  await upstream.remove();
});

async function untilReady(): Promise<void> {
  for (let round = 0; round < 2_000; round++) {
    const { body } = await app.call(projectRoutes.get, { params: { id } }, ada);
    if (body.status === 'ready' && body.activity === null) return;
    await sleep(50);
  }
  throw new Error('the project did not become ready');
}

async function save(user: TestUser, path: string, content: string): Promise<string> {
  const { body, error } = await app.call(
    ideRoutes.save,
    { params: { id, '*': path }, body: { content } },
    user,
  );
  if (error) throw new Error(error.message);
  return body.commit;
}

const outcomeOf = ({
  status,
  error,
}: {
  status: number;
  error?: { message: string } | undefined;
}): Outcome => ({
  status,
  message: error?.message,
});

/** Session whose answer is proven. */
let session: string | undefined;

async function sessionParams(): Promise<{ id: string }> {
  const body = { project_id: id, error_message: 'TypeError: one is not a function' };
  session ??= (await app.call(debugRoutes.debug, { body }, ada)).body.id;
  return { id: session };
}

/** A proof is refused once its commits are found, where there is no sandbox, or nothing to revert; a started one is cancelled. */
async function startProof(ends: { kind: 'bisect' | 'verify'; good?: string; bad?: string; revert?: string }) {
  const body = { command: 'true', ...ends };
  const reply = await app.call(proofRoutes.start, { params: await sessionParams(), body }, ada);
  if (reply.status === 201) await app.call(proofRoutes.cancel, { params: { id: reply.body.id } }, ada);
  const isFound = [201, 409, 415, 503].includes(reply.status);
  return isFound ? { status: 200, message: undefined } : outcomeOf(reply);
}

async function writeScript(ends: { good?: string; bad?: string }) {
  const body = { command: 'true', ...ends };
  return outcomeOf(await app.call(proofRoutes.script, { params: await sessionParams(), body }, ada));
}

/** Answer of a chat that is asked for again. */
let question: string | undefined;

/** Request per field, as `ada`; null for a field that names no commit of the repository. */
const CALLS: Record<string, Ask | null> = {
  'GET /projects/:id/commits/:sha params.sha': async (sha) =>
    outcomeOf(await app.call(projectRoutes.commit, { params: { id, sha }, query: {} }, ada)),
  'POST /projects/:id/commits/:sha/revert params.sha': async (sha) => {
    const body = { branch: `revert-${Math.random()}` };
    const reply = await app.call(branchRoutes.revert, { params: { id, sha }, body }, ada);
    // The first commit and one that the branch lacks are refused once they are found.
    const isFound = reply.status === 415 || reply.error?.reason === 'nothing_to_revert';
    return isFound ? { status: 200, message: undefined } : outcomeOf(reply);
  },
  'GET /projects/:id/files/* query.ref': async (ref) =>
    outcomeOf(await app.call(projectRoutes.file, { params: { id, '*': 'a.js' }, query: { ref } }, ada)),
  'GET /projects/:id/text/* query.ref': async (ref) =>
    outcomeOf(await app.call(codeRoutes.text, { params: { id, '*': 'a.js' }, query: { ref } }, ada)),
  'GET /projects/:id/images/* query.ref': async (ref) => {
    const reply = await app.call(codeRoutes.image, { params: { id, '*': 'a.js' }, query: { ref } }, ada);
    // The file is no image, which is known only once the revision is resolved.
    return reply.status === 415 ? { status: 200, message: undefined } : outcomeOf(reply);
  },
  'GET /projects/:id/folder query.ref': async (ref) =>
    outcomeOf(await app.call(codeRoutes.folder, { params: { id }, query: { ref } }, ada)),
  'GET /projects/:id/blame/* query.ref': async (ref) =>
    outcomeOf(await app.call(codeRoutes.blame, { params: { id, '*': 'a.js' }, query: { ref } }, ada)),
  'GET /projects/:id/outline/* query.ref': async (ref) =>
    outcomeOf(await app.call(codeRoutes.outline, { params: { id, '*': 'a.js' }, query: { ref } }, ada)),
  'GET /projects/:id/changes/* query.commit': async (commit) =>
    outcomeOf(await app.call(codeRoutes.change, { params: { id, '*': 'a.js' }, query: { commit } }, ada)),
  ...Object.fromEntries(
    [historyRoutes.compare, historyRoutes.compareFile, historyRoutes.compareSymbols].flatMap((route) =>
      (['base', 'head'] as const).map((field): [string, Ask] => [
        `${route.method} ${route.path} query.${field}`,
        async (name) => {
          const query = { base: 'main', head: 'main', path: 'a.js', [field]: name };
          return outcomeOf(await app.call(route, { params: { id }, query }, ada));
        },
      ]),
    ),
  ),
  'GET /ide/projects/:id/files query.ref': async (ref) =>
    outcomeOf(await app.call(ideRoutes.files, { params: { id }, query: { ref } }, ada)),
  'GET /ide/projects/:id/files/* query.ref': async (ref) =>
    outcomeOf(await app.call(ideRoutes.file, { params: { id, '*': 'a.js' }, query: { ref } }, ada)),
  'GET /ide/projects/:id/pieces/* query.ref': async (ref) =>
    outcomeOf(await app.call(ideRoutes.piece, { params: { id, '*': 'a.js' }, query: { ref } }, ada)),
  'GET /ide/projects/:id/search query.ref': async (ref) =>
    outcomeOf(await app.call(ideRoutes.find, { params: { id }, query: { q: 'one', ref } }, ada)),
  'GET /ide/projects/:id/line-history/* query.ref': async (ref) =>
    outcomeOf(await app.call(ideRoutes.lineHistory, { params: { id, '*': 'a.js' }, query: { ref } }, ada)),
  'GET /ide/projects/:id/risks/* query.ref': async (ref) =>
    outcomeOf(await app.call(analysisRoutes.risks, { params: { id, '*': 'a.js' }, query: { ref } }, ada)),
  'POST /projects/:id/change-check body.ref': async (ref) =>
    outcomeOf(await app.call(changeCheckRoutes.check, { params: { id }, body: { ref, files: [] } }, ada)),
  'GET /projects/:id/impact query.branch': async (branch) =>
    outcomeOf(await app.call(impactRoutes.get, { params: { id }, query: { branch } }, ada)),
  'POST /ide/projects/:id/checks body.ref': async (ref) => {
    // Next to nothing to check: what is asked for is the revision.
    const body = { code: '\n', file_path: 'a.js', ref };
    return outcomeOf(await app.call(analysisRoutes.check, { params: { id }, body }, ada));
  },
  'POST /ide/projects/:id/debug/ide body.ref': async (ref) => {
    // Next to nothing to check: what is asked for is the revision.
    const body = { code: '\n', file_path: 'a.js', ref };
    return outcomeOf(await app.call(analysisRoutes.analyze, { params: { id }, body }, ada));
  },
  'POST /ide/projects/:id/files/* body.base_sha': async (base_sha) => {
    const body = { content: 'export const one = 2;\n', base_sha, branch: `try-${Math.random()}` };
    return outcomeOf(await app.call(ideRoutes.save, { params: { id, '*': 'new.js' }, body }, ada));
  },
  'POST /ide/projects/:id/commits body.base_sha': async (base_sha) => {
    const files = [{ path: 'new.js', content: 'export const one = 2;\n' }];
    const body = { files, base_sha, branch: `try-${Math.random()}` };
    return outcomeOf(await app.call(ideRoutes.commit, { params: { id }, body }, ada));
  },
  'POST /ide/projects/:id/moves body.base_sha': async (base_sha) =>
    outcomeOf(
      await app.call(
        ideRoutes.move,
        { params: { id }, body: { from: 'no.js', to: 'new.js', base_sha } },
        ada,
      ),
    ),
  'DELETE /ide/projects/:id/files/* query.base_sha': async (base_sha) =>
    outcomeOf(await app.call(ideRoutes.remove, { params: { id, '*': 'no.js' }, query: { base_sha } }, ada)),
  'GET /search query.revision': async (revision) =>
    outcomeOf(await app.call(searchRoutes.search, { query: { q: 'one', project_id: id, revision } }, ada)),
  'POST /projects/:id/releases body.commit': async (commit) => {
    const body = { version: `v${Math.random()}`, commit };
    const reply = await app.call(releaseRoutes.create, { params: { id }, body }, ada);
    // A commit of the caller's own branch is refused once it is found; a release is created with 201.
    const isFound = reply.status === 201 || reply.error?.reason === 'release_of_draft';
    return isFound ? { status: 200, message: undefined } : outcomeOf(reply);
  },
  'POST /debug body.revision': async (revision) => {
    const body = { project_id: id, error_message: 'TypeError: one is not a function', revision };
    return outcomeOf(await app.call(debugRoutes.debug, { body }, ada));
  },
  'POST /debug/rag body.revision': async (revision) => {
    const body = { project_id: id, error_message: 'TypeError: one is not a function', revision };
    return outcomeOf(await app.call(debugRoutes.rag, { body }, ada));
  },
  'POST /chat/projects/:id/messages body.revision': async (revision) =>
    outcomeOf(
      await app.call(chatRoutes.send, { params: { id }, body: { message: 'What is one?', revision } }, ada),
    ),
  'POST /chat/projects/:id/messages/:message/regenerate body.revision': async (revision) => {
    question ??= (await app.call(chatRoutes.send, { params: { id }, body: { message: 'What is one?' } }, ada))
      .body.id;
    const params = { id, message: question };
    return outcomeOf(await app.call(chatRoutes.regenerate, { params, body: { revision } }, ada));
  },
  ...Object.fromEntries(
    (['good', 'bad'] as const).flatMap((field) => [
      [
        `POST /debug/:id/proofs body.${field}`,
        (name: string) => startProof({ kind: 'bisect', [field]: name }),
      ],
      [`POST /debug/:id/proofs/script body.${field}`, (name: string) => writeScript({ [field]: name })],
    ]),
  ),
  'POST /debug/:id/proofs body.revert': (revert) => startProof({ kind: 'verify', revert }),
  // The caller's own branch, by name.
  'POST /debug/:id/proofs body.branch': null,
  'POST /ide/projects/:id/files/* body.branch': null,
  'DELETE /ide/projects/:id/files/* query.branch': null,
  'POST /ide/projects/:id/moves body.branch': null,
  'POST /ide/projects/:id/commits body.branch': null,
  'GET /projects/:id/branches/:branch/patch params.branch': null,
  'PATCH /projects/:id/branches/:branch params.branch': null,
  'DELETE /projects/:id/branches/:branch params.branch': null,
  'POST /projects/:id/branches/:branch/update params.branch': null,
  'POST /projects/:id/commits/:sha/revert body.branch': null,
  'POST /projects/:id/pushes body.branch': null,
  'POST /projects/:id/pushes/preview body.branch': null,
  'POST /projects/:id/pull-requests body.branch': null,
  'POST /projects/:id/pull-requests/draft body.branch': null,
  // The head of that branch that the caller has seen: only compared.
  'POST /projects/:id/branches/:branch/update body.head': null,
  'POST /projects/:id/commits/:sha/revert body.head': null,
  'DELETE /projects/:id/branches/:branch query.head': null,
  // Days.
  'GET /projects/:id/evolution query.from': null,
  'GET /projects/:id/evolution query.to': null,
  'GET /projects/:id/evolution/coupling query.from': null,
  'GET /projects/:id/evolution/coupling query.to': null,
  // One of the commits that the answer of a session names.
  'PUT /debug/sessions/:id/label body.commit': null,
  // Paths.
  'POST /ide/projects/:id/moves body.from': null,
  'POST /ide/projects/:id/moves body.to': null,
  // Lines.
  'GET /projects/:id/files/* query.from': null,
  'GET /projects/:id/files/* query.to': null,
  // One of the commits that were suggested for a session.
  'POST /debug/sessions/:id/resolution body.commit': null,
  // Stored as it is, and compared with other uploads.
  'POST /projects/:id/test-runs query.commit': null,
  'POST /projects/:id/test-runs query.branch': null,
  // A branch of a chat.
  'PUT /chat/projects/:id/threads/:thread body.head': null,
};

const TOOL_CALLS: Record<string, object | null> = {
  'read_file revision': { path: 'a.js' },
  'list_tree revision': {},
  'blame_lines revision': { path: 'a.js', from: 1, to: 1 },
  'show_commit commit': {},
  'impact branch': {},
  'compare_revisions from': {},
  'compare_revisions to': { from: 'main' },
  'read_file from': null,
  'read_file to': null,
  'blame_lines from': null,
  'blame_lines to': null,
};

function fieldsOf(schema: unknown): string[] {
  const shape = (schema as z.ZodObject | undefined)?.shape;
  return shape ? Object.keys(shape) : [];
}

const routes = Object.values(apiRoutes).flatMap((feature) => Object.values<Route>(feature));
const routeFields = routes.flatMap((route) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    fieldsOf(route[part as keyof Route])
      .filter((field) => NAMES_COMMIT.test(field))
      .map((field) => `${route.method} ${route.path} ${part}.${field}`),
  ),
);
const toolFields = TOOLS.flatMap(({ name, input }) =>
  fieldsOf(input)
    .filter((field) => NAMES_COMMIT.test(field))
    .map((field) => `${name} ${field}`),
);

test('every field that may contain a revision name is covered', () => {
  expect(routeFields.toSorted()).toEqual(Object.keys(CALLS).toSorted());
  expect(toolFields.toSorted()).toEqual(Object.keys(TOOL_CALLS).toSorted());
});

test('revision names are resolved by one function only, which checks the reader', async () => {
  const found: string[] = [];
  for await (const file of glob('src/{server,assistant,investigate,evolution,search}/**/*.ts')) {
    if (/test/.test(file)) continue;
    if ((await readFile(file, 'utf8')).includes('resolveCommit')) found.push(file);
  }
  expect(found).toEqual([]);
});

/** Commits that `ada` may not see, each beside a name of the same shape that does not exist. */
const HIDDEN: [string, () => [string, string]][] = [
  ['the branch of somebody else', () => ['hindsight/bea', 'hindsight/eva']],
  ['the same by its full name', () => ['refs/heads/hindsight/bea', 'refs/heads/hindsight/eva']],
  ['the same below heads', () => ['heads/hindsight/bea', 'heads/hindsight/eva']],
  ['the same, peeled', () => ['hindsight/bea^{commit}', 'hindsight/eva^{commit}']],
  ['the same, a parent', () => ['hindsight/bea~1', 'hindsight/eva~1']],
  ['its reflog', () => ['hindsight/bea@{0}', 'hindsight/eva@{0}']],
  ['its tree', () => ['hindsight/bea:', 'hindsight/eva:']],
  ['its commit', () => [at.theirs!, NOTHING]],
  ['its commit, twelve digits', () => [at.theirs!.slice(0, 12), NOTHING.slice(0, 12)]],
  ['its commit, seven digits', () => [at.theirs!.slice(0, 7), NOTHING.slice(0, 7)]],
  ['its tree by hash', () => [at.tree!, NOTHING]],
  ['its file by hash', () => [at.blob!, NOTHING]],
  ['a commit that nothing reaches', () => [at.dangling!, NOTHING]],
  ['the same, ten digits', () => [at.dangling!.slice(0, 10), NOTHING.slice(0, 10)]],
  ['a branch by a name that upstream could have', () => ['shadow', 'shadowy']],
  ['the same by its full name', () => ['refs/remotes/origin/shadow', 'refs/remotes/origin/shadowy']],
  ['notes', () => ['refs/notes/commits', 'refs/notes/nothing']],
  ['replacements', () => ['refs/replace/x', 'refs/replace/y']],
  ['a stash', () => ['refs/stash', 'refs/stush']],
  ['ORIG_HEAD', () => ['ORIG_HEAD', 'ORIG_HAED']],
  ['FETCH_HEAD', () => ['FETCH_HEAD', 'FETCH_HAED']],
  ['a parent of a branch', () => ['main^', 'nothing^']],
  ['the reflog of HEAD', () => ['HEAD@{1}', 'HAED@{1}']],
  ['@', () => ['@', '@a']],
  ['all', () => ['--all', '--nothing']],
];
const NOTHING = '0123456789abcdef0123456789abcdef01234567';

const SEEN: [string, () => string][] = [
  ['a tag', () => 'v1.0'],
  ['a tag by its full name', () => 'refs/tags/v1.0'],
  ['an upstream branch', () => 'side'],
  ['the same by its full name', () => 'refs/remotes/origin/side'],
  ['its commit', () => at.side!],
  ['its commit, seven digits', () => at.side!.slice(0, 7)],
  ['the default branch', () => 'main'],
  ['HEAD', () => 'HEAD'],
  ['a commit of it', () => at.first!],
  ['a commit of it, seven digits', () => at.first!.slice(0, 7)],
  ['a day', () => '2024-01-01'],
  ['the own branch', () => 'hindsight/ada'],
  ['the own branch by its full name', () => 'refs/heads/hindsight/ada'],
  ['the own commit', () => at.own!],
  ['the own commit, ten digits', () => at.own!.slice(0, 10)],
];

const calls = Object.entries(CALLS).filter((call): call is [string, Ask] => call[1] !== null);

test.each(calls)('%s: drafts of others are not found', async (_, ask) => {
  const answers = new Map<string, Outcome>();
  for (const [what, names] of HIDDEN) {
    const [hidden, nothing] = names();
    const answer = await ask(hidden);
    if (!answers.has(nothing)) answers.set(nothing, await ask(nothing));
    // 422: it cannot even be a name, here or anywhere.
    expect([404, 422], what).toContain(answer.status);
    expect(answer, what).toEqual(answers.get(nothing));
  }
});

test.each(calls)('%s: upstream branches, tags and own branches are found', async (call, ask) => {
  const hashesOnly = /sha$|query\.commit$/.test(call);
  const full = /base_sha$|body\.revert$/.test(call);
  for (const [what, name] of SEEN) {
    if (hashesOnly && !/^[0-9a-f]+$/.test(name())) continue;
    if (full && name().length < 40) continue;
    const { status, message } = await ask(name());
    if (full) expect(message ?? '', what).not.toMatch(/not in the repository/);
    else expect(status, `${what}: ${message}`).toBe(200);
  }
});

async function callTool(name: string, input: object): Promise<string> {
  const project = await app.deps.db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return await runProjectTool(app.deps, project, {
    tool: { name },
    input,
    userId: ada.id,
    signal: AbortSignal.timeout(60_000),
  }).then(
    ({ text }) => text,
    (error: Error) => error.message,
  );
}

test.each(Object.entries(TOOL_CALLS).filter(([, input]) => input !== null))(
  'the tool %s sees what the index reaches, and nothing of others',
  async (title, input) => {
    const [name, field] = title.split(' ') as [string, string];
    const call = (value: string) => callTool(name, { ...input, [field]: value });
    for (const [what, names] of HIDDEN) {
      const [hidden, nothing] = names();
      expect((await call(hidden)).replace(hidden, nothing), what).toBe(await call(nothing));
    }
    for (const seen of ['v1.0', 'refs/tags/v1.0', 'main', at.first!, at.first!.slice(0, 7)]) {
      expect(await call(seen), seen).not.toMatch(/has no commit/);
    }
  },
);

test('sessions about a draft are visible to its author only', async () => {
  const body = { project_id: id, error_message: 'RangeError: about a draft', revision: 'hindsight/ada' };
  const draft = (await app.call(debugRoutes.debug, { body }, ada)).body;
  const shared = (await app.call(debugRoutes.debug, { body: { ...body, revision: 'v1.0' } }, ada)).body;
  expect(draft.indexed_commit).toBe(at.own);
  await app.call(historyRoutes.giveFeedback, { body: { debug_query_id: draft.id, helpful: true } }, ada);
  const listed = async (user: TestUser) =>
    (await app.call(debugRoutes.sessions, { query: { project_id: id } }, user)).body.sessions.map(
      (row) => row.id,
    );
  expect(await listed(ada)).toContain(draft.id);
  for (const user of [bea, vic]) {
    expect(await listed(user)).not.toContain(draft.id);
    expect(await listed(user)).toContain(shared.id);
    expect((await app.call(debugRoutes.session, { params: { id: draft.id } }, user)).status).toBe(404);
    const feedback = await app.call(
      historyRoutes.feedback,
      { params: { id }, query: { scope: 'project' } },
      user,
    );
    expect(JSON.stringify(feedback.body)).not.toContain(draft.id);
    const again = await app.call(debugRoutes.debug, { body: { ...body, revision: null } }, user);
    expect(JSON.stringify(again.body)).not.toContain(draft.id);
  }
});

test('a commit removed by a force push is not found', async () => {
  const run = (args: string[]) => git(upstream.path, args, { name: args[0]! });
  await run(['update-ref', 'refs/heads/side', at.first!]);
  await app.call(projectRoutes.refresh, { params: { id } }, ada);
  await untilReady();
  for (const [call, ask] of calls) {
    const answer = await ask(at.side!);
    expect(answer, call).toEqual(await ask(NOTHING));
    expect(answer.status, call).toBe(404);
  }
});

test('an answer at a revision names it; one about own commits is never shared', async () => {
  const ask = (body: { message: string; revision: string; thread_id?: string }) =>
    app.call(chatRoutes.send, { params: { id }, body }, ada);
  const tagged = (await ask({ message: 'What is one?', revision: 'v1.0' })).body;
  expect(tagged.freshness).toMatchObject({
    revision: { name: 'v1.0', commit: at.first },
    commit: at.main,
    own_branch: null,
  });
  const thread = (await app.call(chatRoutes.createThread, { params: { id } }, ada)).body.id;
  await ask({ message: 'What is one?', revision: 'v1.0', thread_id: thread });
  const share = (shared: boolean) =>
    app.call(chatRoutes.updateThread, { params: { id, thread }, body: { shared } }, ada);
  expect((await share(true)).status).toBe(200);
  const refused = await ask({ message: 'What is mine?', revision: at.own!, thread_id: thread });
  expect(refused.error).toMatchObject({ code: 'conflict' });
  await share(false);
  expect((await ask({ message: 'What is mine?', revision: at.own!, thread_id: thread })).status).toBe(200);
  expect((await share(true)).error).toMatchObject({ reason: 'chat_has_branch' });
});
