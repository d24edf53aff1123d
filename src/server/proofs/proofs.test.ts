import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditRoutes } from '#contract/audit.ts';
import { branchRoutes } from '#contract/branches.ts';
import { debugRoutes } from '#contract/debug.ts';
import { errorGroupRoutes } from '#contract/error-groups.ts';
import { ideRoutes } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { type Proof, type ProofRequest, proofRoutes } from '#contract/proofs.ts';
import { DEFAULT_RATE_LIMITS } from '#contract/rate-limits.ts';
import { newId } from '#db/ids.ts';
import { type GitServer, serveRepositories } from '#git/testing.ts';
import { SANDBOX_MISSING, sandboxTitle } from '#sandbox/commands/testing-sandbox.ts';
import { findVerifiedTree } from '../project-data/session-proofs.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { requestProof } from './proof-tasks.ts';
import { buildPrices, PRICES_COMMAND, PRICES_TRACE, type PricesHistory } from './testing-prices.ts';

/** Every run starts a sandbox, which takes a second on a busy machine. */
const LONG = { timeout: 60_000 };

const testRun = (title: string, run: () => Promise<void>) =>
  test.skipIf(SANDBOX_MISSING !== null)(sandboxTitle(title), LONG, run);

let prices: PricesHistory;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let projectId: string;
let session: string;

beforeAll(async () => {
  prices = await buildPrices();
  gitServer = await serveRepositories(prices.repository.folder);
  const limits = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  const proofsPerUser = { max: 1_000, seconds: 3_600 };
  app = await testApp({
    work: true,
    config: {
      git: { ...limits, allowedPrivateHosts: [gitServer.host] },
      limits: { ...DEFAULT_RATE_LIMITS, proofsPerUser },
    },
  });
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  const body = { name: 'Prices', git_url: `${gitServer.url}/${prices.repository.name}` };
  projectId = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  const member = { project_id: projectId, user_id: bob.id, role: 'viewer' } as const;
  await app.deps.db.insertInto('project_members').values(member).execute();
  const isReady = async () => {
    const { body } = await app.call(projectRoutes.get, { params: { id: projectId } }, ada);
    return body.status === 'ready' && body.activity === null;
  };
  await vi.waitUntil(isReady, { timeout: 30_000 });
  const error = { project_id: projectId, error_message: PRICES_TRACE };
  session = (await app.call(debugRoutes.debug, { body: error }, ada)).body.id;
}, 60_000);
afterAll(async () => {
  await app.close();
  await gitServer.close();
  await prices.repository.remove();
});

const start = (body: ProofRequest, as = ada) =>
  app.call(proofRoutes.start, { params: { id: session }, body }, as);
const read = async (id: string, as = ada) => (await app.call(proofRoutes.get, { params: { id } }, as)).body;
const cancel = (id: string, as = ada) => app.call(proofRoutes.cancel, { params: { id } }, as);
const openSession = async () => (await app.call(debugRoutes.session, { params: { id: session } }, ada)).body;
const allow = (may_run: boolean, as = ada) =>
  app.call(projectRoutes.update, { params: { id: projectId }, body: { may_run } }, as);

async function untilEnded(id: string): Promise<Proof> {
  for (let round = 0; round < 500; round++) {
    const proof = await read(id);
    if (proof.state !== 'queued' && proof.state !== 'running') return proof;
    await sleep(100);
  }
  throw new Error('the proof did not end');
}

async function prove(body: ProofRequest): Promise<Proof> {
  const started = await start(body);
  expect([started.status, started.error]).toEqual([201, undefined]);
  return await untilEnded(started.body.id);
}

test('nothing runs until the owner allows it, and only editors start', async () => {
  const request = { kind: 'reproduce', command: PRICES_COMMAND } as const;
  expect(await start(request)).toMatchObject({ status: 409, error: { reason: 'run_not_allowed' } });
  expect((await allow(true, bob)).error?.code).toBe('read_only');
  expect((await allow(true)).body.may_run).toBe(true);
  expect((await start(request, bob)).error?.code).toBe('read_only');
  const { events } = (await app.call(auditRoutes.mine, { query: { limit: '5' } }, ada)).body;
  expect(events.map(({ event }) => event)).toContain('running_enabled');
});

const OUTSIDE = '--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n';
const MISSING = '--- a/none.js\n+++ b/none.js\n@@ -1 +1 @@\n-a\n+b\n';
const REFUSED: [Partial<Record<keyof ProofRequest, unknown>>, number][] = [
  [{ command: '' }, 422],
  [{ command: 'true\nrm -rf /' }, 422],
  [{ command: 'x'.repeat(2_001) }, 422],
  [{ command: 'echo \u0000' }, 422],
  [{ command: ['sh', '-c'] }, 422],
  [{ kind: 'destroy' }, 422],
  [{ bad: '--upload-pack=touch /tmp/x' }, 404],
  [{ kind: 'bisect', good: 'refs/heads/nothing' }, 404],
  [{ script: { path: '../outside.js', text: 'x' } }, 400],
  [{ script: { path: '.git/hooks/post-checkout', text: 'x' } }, 400],
  [{ script: { path: 'a.js', text: 'x'.repeat(70_000) } }, 422],
  [{ kind: 'verify' }, 422],
  [{ kind: 'verify', patch: 'no patch' }, 422],
  [{ kind: 'verify', patch: OUTSIDE }, 422],
  [{ kind: 'verify', patch: MISSING }, 422],
  [{ kind: 'verify', revert: 'main' }, 422],
  [{ kind: 'verify', revert: 'a'.repeat(40) }, 404],
  [{ kind: 'verify', branch: 'hindsight/nobody' }, 404],
  [{ kind: 'verify', patch: 'x', branch: 'main' }, 422],
];

test('hostile requests are refused', async () => {
  for (const [part, status] of REFUSED) {
    const payload = { kind: 'reproduce', command: 'true', ...part };
    const reply = await app.inject({ method: 'POST', url: `/api/debug/${session}/proofs`, payload }, ada);
    expect({ part, status: reply.statusCode }).toEqual({ part, status });
  }
  for (const host of ['https://a.example', 'a b', '*', '-x.example', 'a..b', 'x'.repeat(300)]) {
    const payload = { setup_hosts: [host] };
    const reply = await app.inject({ method: 'PATCH', url: `/api/projects/${projectId}`, payload }, ada);
    expect([host, reply.statusCode]).toEqual([host, 422]);
  }
});

test('a log of a bisection elsewhere proves a commit, and a false one does not', async () => {
  const { culprit, head, tested } = prices;
  const upload = (log: string) =>
    app.call(proofRoutes.upload, { params: { id: session }, body: { log, command: PRICES_COMMAND } }, ada);
  const parent = await prices.repository.head(`${culprit}~1`);
  const log = (good: string) =>
    `git bisect start '${head}' '${tested}'\n# bad: [${head}] Log\ngit bisect good ${good}\ngit bisect bad ${culprit}\n`;
  const contradiction = `${log(parent)}git bisect good ${head}\n`;
  const unknown = `git bisect bad ${'a'.repeat(40)}\n`;
  for (const text of ['x', 'git bisect good HEAD', log(tested), unknown, contradiction]) {
    expect((await upload(text)).status).toBe(422);
  }
  const { body, status } = await upload(log(parent));
  expect(status).toBe(201);
  expect(await read(body.id)).toMatchObject({
    ...{ kind: 'bisect', state: 'done', source: 'upload', ending: 'proven' },
    result: { first_bad: culprit },
    message: `Proven: ${culprit.slice(0, 7)} introduced it.`,
  });
  expect((await read(body.id, bob)).first_bad).toBe(culprit);
  const { answer, label, proofs } = await openSession();
  const proven = { commit: { hash: culprit }, source: 'upload' };
  expect(answer).toMatchObject({ cause_confidence: null, proven });
  expect(answer.context.code_suggestions.join(' ')).not.toContain('Confirm the suspect');
  const release = await app.call(errorGroupRoutes.release, { params: { id: session } }, ada);
  expect(release.body.commit).toBe(culprit);
  expect([label?.commit, proofs?.[0]?.id]).toEqual([culprit, body.id]);
  const withSuspect = async (hash: string) => {
    const timeline = answer.timeline.map((step) => ({
      ...step,
      ...(step.commit && { commit: { ...step.commit, hash } }),
    }));
    const stored = JSON.stringify({ ...answer, timeline, patch: '--- a/x\n' });
    await app.deps.db
      .updateTable('debug_sessions')
      .set({ answer: stored })
      .where('id', '=', session)
      .execute();
    return (await openSession()).answer.patch;
  };
  expect(answer.timeline.some(({ kind }) => kind === 'suspect')).toBe(true);
  expect([await withSuspect(parent), await withSuspect(culprit)]).toEqual([null, '--- a/x\n']);
});

test('the plan proposes the command of the test, and the script tests suspects first', async () => {
  const { body: plan } = await app.call(proofRoutes.plan, { params: { id: session } }, ada);
  expect(plan.commands[0]?.command).toBe(PRICES_COMMAND);
  expect(plan.suspects[0]?.hash).toBe(prices.culprit);
  if (SANDBOX_MISSING === null) expect(plan.readiness).toBe('ready');
  const body = { command: PRICES_COMMAND, good: prices.tested };
  const { script } = (await app.call(proofRoutes.script, { params: { id: session }, body }, ada)).body;
  expect(script).toContain(`git bisect start ${prices.head} ${prices.tested}`);
  expect(script).toContain(prices.culprit);
});

testRun('a bisection proves the culprit in few runs, live and with the output of each', async () => {
  const states: string[] = [];
  const stop = app.deps.events.subscribe('proof-changed', ({ state }) => states.push(state));
  const proof = await prove({ kind: 'bisect', command: PRICES_COMMAND });
  stop();
  const { culprit } = prices;
  expect(proof).toMatchObject({ state: 'done', ending: 'proven', result: { first_bad: culprit } });
  const runs = proof.result!.runs;
  expect(runs.length).toBeLessThanOrEqual(4);
  expect(runs[0]).toMatchObject({ outcome: 'bad', purpose: 'bad', message: 'Log requests 4' });
  expect(states.filter((state) => state === 'running').length).toBeGreaterThanOrEqual(runs.length);
  const params = { id: proof.id, number: '1' };
  const { body: log } = await app.call(proofRoutes.log, { params }, bob);
  expect(log.text).toContain("reading 'percent'");
  expect((await openSession()).answer.proven?.proof_id).toBe(proof.id);
  // The same command on the same trees is not run again.
  const again = await prove({ kind: 'bisect', command: PRICES_COMMAND });
  expect([again.ending, again.result!.runs.length]).toEqual(['proven', 0]);
  expect(again.result!.reused.length).toBeGreaterThan(0);
});

testRun('an error is reproduced by a script, or not, and another failure proves nothing of it', async () => {
  const text = `import { applyDiscount } from '../src/prices.js';\napplyDiscount(1, 'unknown');\n`;
  const request = { command: 'node repro/unknown.js', script: { path: 'repro/unknown.js', text } };
  const reproduced = await prove({ ...request, kind: 'reproduce' });
  expect([reproduced.ending, reproduced.result!.runs.length]).toEqual(['reproduced', 3]);
  expect((await prove({ kind: 'reproduce', command: 'true' })).ending).toBe('passes');
  const other = `node -e "if (require('fs').existsSync('src/log.js')) throw new RangeError('log.js is here')"`;
  expect((await prove({ kind: 'reproduce', command: other })).ending).toBe('other_message');
  expect((await prove({ kind: 'bisect', command: other, good: prices.tested })).ending).toBe(
    'proven_failure',
  );
  expect((await openSession()).answer.proven?.commit.hash).toBe(prices.culprit);
  const proof = await prove({ ...request, kind: 'bisect', good: prices.tested });
  expect(proof.result!.first_bad).toBe(prices.culprit);
});

testRun('a revert is verified down to its tree, a useless branch is not and stays its own', async () => {
  const request = { kind: 'verify', command: PRICES_COMMAND } as const;
  const verified = await prove({ ...request, revert: prices.culprit });
  expect(verified).toMatchObject({ ending: 'verified', result: { verified: true } });
  const params = { id: projectId, sha: prices.culprit };
  const branch = { branch: 'take-back', session_id: session };
  const reverted = await app.call(branchRoutes.revert, { params, body: branch }, ada);
  expect(reverted.status).toBe(200);
  const { verified_tree: tree } = await app.deps.db
    .selectFrom('proofs')
    .select('verified_tree')
    .where('id', '=', verified.id)
    .executeTakeFirstOrThrow();
  const key = { project_id: projectId, id: session };
  expect(await findVerifiedTree(app.deps.db, key, { tree: tree!, userId: bob.id })).toMatchObject({
    proof_id: verified.id,
  });
  const file = { params: { id: projectId, '*': 'README.md' }, body: { content: '# Open daily\n' } };
  const saved = await app.call(ideRoutes.save, file, ada);
  const useless = await prove({ ...request, branch: saved.body.branch, check: 'true' });
  expect(useless).toMatchObject({ ending: 'still_fails', result: { verified: false } });
  expect((await app.call(proofRoutes.get, { params: { id: useless.id } }, bob)).status).toBe(404);
});

testRun('a running proof is cancelled with its processes, and the next one starts', async () => {
  const { body } = await start({ kind: 'reproduce', command: "trap '' TERM; sleep 300" });
  const waiting = await start({ kind: 'reproduce', command: 'true' });
  const current = async () => (await read(body.id)).result?.current?.commit ?? null;
  await expect.poll(current, { timeout: 60_000 }).not.toBeNull();
  expect((await read(waiting.body.id)).ahead).toBe(1);
  const last = await start({ kind: 'reproduce', command: 'true' });
  expect((await start({ kind: 'reproduce', command: 'true' })).error?.reason).toBe('too_many_proofs');
  expect((await cancel(body.id, bob)).error?.code).toBe('read_only');
  expect((await cancel(body.id)).status).toBe(200);
  expect((await cancel(body.id)).status).toBe(409);
  expect((await untilEnded(waiting.body.id)).ending).toBe('passes');
  await untilEnded(last.body.id);
  expect(await read(body.id)).toMatchObject({ state: 'cancelled', is_cancellable: false });
});

testRun('a proof whose server was killed goes on, or fails with the reason', async () => {
  const interrupted = async () => {
    const id = newId();
    const bad = prices.head;
    const ends = { setup: null, check: null, script: null, good: null, bad, patch: null };
    const request = JSON.stringify({ command: PRICES_COMMAND, ...ends });
    const owner = { project_id: projectId, session_id: session, user_id: ada.id };
    await app.deps.db
      .insertInto('proofs')
      .values({ ...owner, id, kind: 'bisect', state: 'running', started_at: new Date(), request })
      .execute();
    const run = { commit: bad, message: 'x', purpose: 'bad', outcome: 'bad', ms: 1 } as const;
    const key = { project_id: projectId, proof_id: id, number: 1 };
    await app.deps.db
      .insertInto('proof_runs')
      .values({ ...key, ...run })
      .execute();
    await requestProof(app.deps, id, ada.id);
    return await untilEnded(id);
  };
  const resumed = await interrupted();
  expect(resumed).toMatchObject({ ending: 'proven', result: { first_bad: prices.culprit } });
  expect(resumed.result!.runs[0]).toMatchObject({ number: 1, has_log: false });
  await allow(false);
  expect(await interrupted()).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('turned off'),
  });
});
