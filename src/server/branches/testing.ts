import { setTimeout as sleep } from 'node:timers/promises';
import { type Push, pushRoutes } from '#contract/branches.ts';
import { ideRoutes } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { projectStorage } from '../project-data/storage.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

/** Server with one ready project of Ada's, whose git server takes pushes. */
export interface PushFixture {
  app: TestApp;
  ada: TestUser;
  /** Editor. */
  bea: TestUser;
  /** Viewer. */
  vic: TestUser;
  projectId: string;
  /** Bare repository on the server. */
  repo: string;
  upstream: TestRepository;
  gitServer: GitServer;
  save(path: string, content: string, options?: { branch?: string; as?: TestUser }): Promise<string>;
  /** Waits until a push has ended. */
  ended(id: string, as?: TestUser): Promise<Push>;
  /** Fetches and waits until the project is ready. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

type ServeOptions = Parameters<typeof serveRepositories>[1];

const GIT_LIMITS = {
  localRoots: [],
  maxRepoMb: 100,
  maxEntries: 1000,
  timeoutS: 30,
  hostApiTimeoutS: 2,
  maxFileBytes: 2 ** 20,
};

/** Creates the fixture; `path` is where the repository lies below the git server. */
export async function createPushFixture(
  options: { serve?: ServeOptions; caFile?: string; hosts?: string[]; name?: string } = {},
): Promise<PushFixture> {
  const upstream = await buildRepository(
    async (repo) => {
      await repo.commit({ message: 'Begin', files: { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' } });
    },
    options.name ? { name: options.name } : {},
  );
  const gitServer = await serveRepositories(upstream.folder, { receivePack: {}, ...options.serve });
  const allowedPrivateHosts = [gitServer.host, ...(options.hosts ?? [])];
  const app = await testApp({
    work: true,
    config: { git: { ...GIT_LIMITS, allowedPrivateHosts, caFile: options.caFile ?? null } },
  });
  const [ada, bea, vic] = [await app.signUp('ada'), await app.signUp('bea'), await app.signUp('vic')];
  const body = { name: 'Words', git_url: `${gitServer.url}/${upstream.name}` };
  const projectId = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  await app.deps.db
    .insertInto('project_members')
    .values([
      { project_id: projectId, user_id: bea.id, role: 'editor' },
      { project_id: projectId, user_id: vic.id, role: 'viewer' },
    ])
    .execute();
  const params = { id: projectId };
  const untilReady = async () => {
    for (let round = 0; round < 1_800; round++) {
      const { body: found } = await app.call(projectRoutes.get, { params }, ada);
      if (found.status === 'ready' && found.activity === null) return;
      await sleep(50);
    }
    throw new Error('the project did not become ready');
  };
  await untilReady();
  return {
    ...{ app, ada, bea, vic, projectId, upstream, gitServer },
    repo: projectStorage(app.deps.config.dataDir, projectId).repo,
    async save(path, content, { branch, as = ada } = {}) {
      const input = { params: { ...params, '*': path }, body: { content, branch } };
      const { body: saved, error } = await app.call(ideRoutes.save, input, as);
      if (error) throw new Error(error.message);
      return saved.commit;
    },
    async ended(id, as = ada) {
      for (let round = 0; round < 1_800; round++) {
        const { body: found } = await app.call(pushRoutes.get, { params: { ...params, push: id } }, as);
        if (found.state === 'done' || found.state === 'failed') return found;
        await sleep(50);
      }
      throw new Error('the push did not end');
    },
    async refresh() {
      await app.call(projectRoutes.refresh, { params }, ada);
      await untilReady();
    },
    async close() {
      await app.close();
      await gitServer.close();
      await upstream.remove();
    },
  };
}
