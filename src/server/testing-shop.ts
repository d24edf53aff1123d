import { setTimeout as sleep } from 'node:timers/promises';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { type GitServer, serveRepositories } from '#git/testing.ts';
import { buildShop, type ShopHistory } from '#investigate/testing.ts';
import type { ServerConfig } from './deps.ts';
import { type TestApp, type TestUser, testApp } from './testing.ts';

/** The shop repository served over HTTP. */
export interface ServedShop {
  shop: ShopHistory;
  gitServer: GitServer;
  close(): Promise<void>;
}

/** A server with the shop indexed as a project of Ada's, which Bob may view. */
export interface ShopApp extends TestApp {
  ada: TestUser;
  bob: TestUser;
  project: Project;
}

/** Builds the shop repository and serves it. */
export async function serveShop(): Promise<ServedShop> {
  const shop = await buildShop();
  const gitServer = await serveRepositories(shop.repository.folder, { receivePack: {} });
  return {
    shop,
    gitServer,
    close: async () => {
      await gitServer.close();
      await shop.repository.remove();
    },
  };
}

/** Starts a server over the shop and waits until it is fully indexed. */
export async function openShopApp(
  { shop, gitServer }: ServedShop,
  config: Partial<ServerConfig> = {},
): Promise<ShopApp> {
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  const server = await testApp({
    work: true,
    config: { git: { ...git, allowedPrivateHosts: [gitServer.host] }, ...config },
  });
  const [ada, bob] = [await server.signUp('ada'), await server.signUp('bob')];
  const body = { name: 'Shop', git_url: `${gitServer.url}/${shop.repository.name}` };
  const created = await server.call(projectRoutes.create, { body }, ada);
  await server.deps.db
    .insertInto('project_members')
    .values({ project_id: created.body.id, user_id: bob.id, role: 'viewer' })
    .execute();
  for (let round = 0; round < 900; round++) {
    const { body: project } = await server.call(projectRoutes.get, { params: { id: created.body.id } }, ada);
    if (project.status === 'ready' && project.activity === null) return { ...server, ada, bob, project };
    await sleep(100);
  }
  throw new Error('The shop was not read in time.');
}
