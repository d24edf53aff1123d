import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoutes } from '#contract/projects.ts';
import { git } from '#git/run.ts';
import {
  buildRepository,
  type GitServer,
  serveRepositories,
  type TestFiles,
  type TestRepository,
} from '#git/testing.ts';
import { projectStorage } from '../project-data/storage.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

/** Server with one ready project, owned by `ada`. */
export interface IdeFixture {
  app: TestApp;
  ada: TestUser;
  /** Editor. */
  bea: TestUser;
  /** Viewer. */
  vic: TestUser;
  /** Not a member. */
  eve: TestUser;
  projectId: string;
  /** Bare repository on the server. */
  repo: string;
  upstream: TestRepository;
  close(): Promise<void>;
}

const GIT_LIMITS = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };

/** Creates the fixture from files, plus a symbolic link `link` and a submodule `sub`. */
export async function createIdeFixture(
  files: TestFiles,
  { config, ...options }: Parameters<typeof testApp>[0] = {},
): Promise<IdeFixture> {
  const upstream = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Begin', files });
    await addSpecialEntries(repo);
  });
  const gitServer: GitServer = await serveRepositories(upstream.folder);
  const app = await testApp({
    ...options,
    work: true,
    config: { git: { ...GIT_LIMITS, allowedPrivateHosts: [gitServer.host] }, ...config },
  });
  const ada = await app.signUp('ada');
  const [bea, vic, eve] = [await app.signUp('bea'), await app.signUp('vic'), await app.signUp('eve')];
  const body = { name: 'Words', git_url: `${gitServer.url}/${upstream.name}` };
  const projectId = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  await app.deps.db
    .insertInto('project_members')
    .values([
      { project_id: projectId, user_id: bea.id, role: 'editor' },
      { project_id: projectId, user_id: vic.id, role: 'viewer' },
    ])
    .execute();
  await waitUntilReady(app, ada, projectId);
  return {
    app,
    ada,
    bea,
    vic,
    eve,
    projectId,
    repo: projectStorage(app.deps.config.dataDir, projectId).repo,
    upstream,
    async close() {
      await app.close();
      await gitServer.close();
      await upstream.remove();
    },
  };
}

/** Waits until the project is ready without activity. */
export async function waitUntilReady(app: TestApp, user: TestUser, id: string): Promise<void> {
  for (let round = 0; round < 1_800; round++) {
    const { body } = await app.call(projectRoutes.get, { params: { id } }, user);
    if (body.activity === null && body.status === 'ready') return;
    await sleep(50);
  }
  throw new Error('the project did not become ready');
}

async function addSpecialEntries(repo: TestRepository): Promise<void> {
  const run = async (args: string[], input = '') =>
    (await git(repo.path, args, { name: args[0]!, input })).stdout.toString();
  const head = await repo.head();
  const target = (await run(['hash-object', '-w', '--stdin'], '../../etc/passwd')).trim();
  const entries = `${await run(['ls-tree', head])}120000 blob ${target}\tlink\n160000 commit ${head}\tsub\n`;
  const tree = (await run(['mktree'], entries)).trim();
  const env = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org' };
  const { stdout } = await git(repo.path, ['commit-tree', tree, '-p', head, '-m', 'Link'], {
    name: 'commit-tree',
    env: { ...env, ...committer },
  });
  await run(['update-ref', 'refs/heads/main', stdout.toString().trim()]);
}
