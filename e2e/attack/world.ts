import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpRequest, type RawReply, type Reply, sendHttp, sendTcp } from './client.ts';
import type { ObedientModel } from './injection/model.ts';
import type { AttackRepository, Repositories } from './repositories.ts';
import type { Server } from './server.ts';

/** With what settings the server runs: as it comes, for strangers, with payments and mail, or with a language model. */
export type Mode = 'default' | 'public' | 'services' | 'model';

/** An account of the run. */
export interface User {
  id: string;
  username: string;
  email: string;
  /** The access token, or the API key. */
  bearer: string;
  /** Loopback IP address of its requests, so that limits by IP distinguish users. */
  from: string;
}

/** Sender of a request; `visitor` has no account. */
export type Who = 'visitor' | 'admin' | 'owner' | 'editor' | 'viewer' | 'stranger' | 'key';

/** Text planted where the caller must not see it. */
const CANARY = 'canary-7f3b19d2';
/** Set in every server: none of their words may come out of it. */
export const SECRETS = {
  SECRET_KEY: 'canary-of-the-secret-key-4410',
  ATTACK_ENVIRONMENT: 'canary-of-the-environment-4410',
};
export const PASSWORD = 'a quiet harbour at dawn';

export interface World {
  readonly mode: Mode;
  readonly server: Server;
  readonly repositories: Repositories;
  readonly users: Record<Exclude<Who, 'visitor'>, User>;
  readonly neighbours: User[];
  /** Ports of loopback, named at the start, at which families let hostile git servers listen. */
  readonly slowPorts: readonly number[];
  /** The model that obeys whatever it reads; null without one. */
  readonly model: ObedientModel | null;
  readonly short: boolean;
  /** The checkout that is attacked. */
  readonly checkout: string;
  /** A small project of the owner; editor and viewer are members, and so are the neighbours. */
  readonly projectId: string;
  /** A project of the stranger alone, whose every text is a canary. */
  readonly secretProjectId: string;
  /** Sends a request as a user. Every reply is counted in the running family. */
  send(who: Who | User, request: HttpRequest): Promise<Reply>;
  /** Writes bytes to a socket of its own; see `sendTcp`. Its reply is counted, too. */
  sendRaw(pieces: (string | Buffer)[], options?: { waitMs?: number; pauseMs?: number }): Promise<RawReply>;
  /** The same, for preparations: not counted, and anything but success throws. */
  prepare(who: Who | User, request: HttpRequest): Promise<Record<string, unknown>>;
  signUp(name: string): Promise<User>;
  /** Connects a repository and waits until it is indexed or has failed; returns the project. */
  connect(
    who: Who | User,
    name: string,
    build: (repo: AttackRepository) => Promise<void>,
    options?: { timeoutMs?: number },
  ): Promise<{ id: string; status: string }>;
  untilIndexed(who: Who | User, id: string, timeoutMs?: number): Promise<string>;
  /** Called with every reply that `send` got, and with those of `sendRaw`. */
  onReply: (request: HttpRequest, reply: Reply) => void;
  onRawReply: (reply: RawReply) => void;
}

let ipCount = 0;

/** Unused loopback IP address. */
export function newIpAddress(): string {
  ipCount += 1;
  return `127.${10 + (ipCount >> 14)}.${(ipCount >> 7) & 127}.${(ipCount & 127) + 1}`;
}

/** Signs everybody up and connects the two projects that every family finds. */
export async function createWorld(
  mode: Mode,
  server: Server,
  repositories: Repositories,
  {
    neighbours: count = 10,
    ...given
  }: Pick<World, 'slowPorts' | 'model' | 'checkout' | 'short'> & { neighbours: number },
): Promise<World> {
  const users = {} as World['users'];
  const neighbours: User[] = [];
  const userOf = (who: Who | User) =>
    typeof who === 'string' ? (who === 'visitor' ? null : users[who]) : who;
  const call = async (who: Who | User, request: HttpRequest) => {
    const user = userOf(who);
    const headers = { ...(user && { authorization: `Bearer ${user.bearer}` }), ...request.headers };
    return await sendHttp(server.port, { from: user?.from, ...request, headers });
  };
  const world: World = {
    ...given,
    mode,
    server,
    repositories,
    users,
    neighbours,
    projectId: '',
    secretProjectId: '',
    onReply: () => {},
    onRawReply: () => {},
    async sendRaw(pieces, options) {
      const reply = await sendTcp(server.port, pieces, options);
      world.onRawReply(reply);
      return reply;
    },
    async send(who, request) {
      const reply = await call(who, request);
      world.onReply(request, reply);
      return reply;
    },
    async prepare(who, request) {
      const reply = await call(who, request);
      if (reply.status === null || reply.status >= 300) {
        const { method = 'GET', path } = request;
        throw new Error(`Preparing ${method} ${path}: ${reply.status} ${reply.text.slice(0, 300)}`);
      }
      return JSON.parse(reply.text || '{}');
    },
    async signUp(name) {
      const from = newIpAddress();
      const account = { username: name, email: `${name}@example.org`, password: PASSWORD };
      const reply = (await world.prepare('visitor', {
        ...{ method: 'POST', path: '/api/auth/register', body: account, from },
      })) as { access_token: string; user: { id: string } };
      return { ...account, id: reply.user.id, bearer: reply.access_token, from };
    },
    async connect(who, name, build, { timeoutMs = 90_000 } = {}) {
      const git_url = await repositories.url(name, build);
      const body = { name, git_url };
      const { id } = (await world.prepare(who, { method: 'POST', path: '/api/projects', body })) as {
        id: string;
      };
      return { id, status: await world.untilIndexed(who, id, timeoutMs) };
    },
    async untilIndexed(who, id, timeoutMs = 90_000) {
      const end = Date.now() + timeoutMs;
      while (Date.now() < end) {
        const reply = await call(who, { path: `/api/projects/${id}` });
        if (reply.status === 200) {
          const project = JSON.parse(reply.text) as { status: string; activity: unknown };
          if (/^(?:ready|failed)$/.test(project.status) && project.activity === null) return project.status;
        }
        await sleep(250);
      }
      return 'timeout';
    },
  };
  for (const who of ['admin', 'owner', 'editor', 'viewer', 'stranger'] as const) {
    users[who] = await world.signUp(`${who}-${mode}`);
  }
  for (let index = 0; index < count; index++)
    neighbours.push(await world.signUp(`neighbour-${index}-${mode}`));
  const main = await world.connect('owner', 'small', buildSmall);
  const secret = await world.connect('stranger', 'secret', buildSecret);
  for (const [user, role] of [
    [users.editor, 'editor'],
    [users.viewer, 'viewer'],
    ...neighbours.map((neighbour) => [neighbour, 'viewer'] as const),
  ] as const) {
    const body = { identifier: user.username, role };
    await world.prepare('owner', { method: 'POST', path: `/api/projects/${main.id}/members`, body });
  }
  const key = (await world.prepare('editor', {
    ...{ method: 'POST', path: '/api/keys', body: { name: 'attack', scope: 'write' } },
  })) as { key: string };
  users.key = { ...users.editor, bearer: key.key };
  await plantSecrets(world, secret.id);
  return Object.assign(world, { projectId: main.id, secretProjectId: secret.id });
}

/** Names, drafts, keys and chats of the stranger, each with the canary. */
async function plantSecrets({ prepare }: World, id: string): Promise<void> {
  const as = 'stranger';
  await prepare(as, { method: 'PATCH', path: `/api/projects/${id}`, body: { name: `${CANARY} project` } });
  await prepare(as, { method: 'PUT', path: '/api/auth/me', body: { full_name: `${CANARY} name` } });
  const key = { name: `${CANARY} key`, scope: 'read', project_id: id };
  await prepare(as, { method: 'POST', path: '/api/keys', body: key });
  const draft = { content: `${CANARY} draft\n`, commit_message: `${CANARY} message` };
  await prepare(as, { method: 'POST', path: `/api/ide/projects/${id}/files/draft.txt`, body: draft });
}

/** Twenty files and as many commits. */
export async function buildSmall(repo: AttackRepository): Promise<void> {
  const names = ['cart', 'order', 'price', 'stock', 'user', 'mail', 'login', 'search', 'cache', 'report'];
  await repo.commit(
    { message: 'Begin', files: { 'README.md': '# Shop\n\nA small shop.\n' } },
    ...names.flatMap((name, index) => [
      { message: `Add ${name}`, files: { [`src/${name}.js`]: fileOf(name, index) } },
      { message: `Fix crash in ${name}`, files: { [`src/${name}.js`]: fileOf(name, index + 100) } },
    ]),
  );
}

async function buildSecret(repo: AttackRepository): Promise<void> {
  await repo.commit({
    message: `${CANARY} commit`,
    author: `${CANARY} <${CANARY}@example.org>`,
    files: { 'src/hidden.js': `// ${CANARY} code\nexport const secret = '${CANARY}';\n` },
  });
}

function fileOf(name: string, seed: number): string {
  const lines = Array.from(
    { length: 20 },
    (_, index) => `export function ${name}${index}(value) {\n  return value + ${seed + index};\n}\n`,
  );
  return lines.join('\n');
}
