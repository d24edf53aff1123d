import type { HttpRequest, Reply } from '../client.ts';
import type { AttackRepository } from '../repositories.ts';
import { buildSmall, type User, type World } from '../world.ts';
import type { FuzzCall } from './requests.ts';

/** Content of an uninvolved user, which must appear in no reply. */
export const FUZZ_CANARY = 'canary-of-somebody-else-a2c4';

/** The people of the calls, who are made again when a call has ended their accounts or projects. */
interface FuzzUsers {
  user(caller: 'one' | 'two' | 'key'): User;
  /** Number of times the users were created again. */
  generation(): number;
  /** Puts ids of the run in place of placeholders. */
  fill(request: HttpRequest): HttpRequest;
  /** Looks at what a call did, and makes again what it ended. `generation` is that of before the call. */
  repair(call: FuzzCall, reply: Reply, generation: number): Promise<void>;
}

/** Signs up two people with a project each and one whose things are secret. */
export async function createFuzzUsers(world: World): Promise<FuzzUsers> {
  const ids: Record<string, string> = await plantSecrets(world);
  let [generation, number] = [0, 0];
  let [one, two, key]: (User | null)[] = [null, null, null];
  let repairing: Promise<void> | null = null;

  // Users are handed out only when complete: a call may delete an account at any moment.
  const make = async () => {
    const name = `fuzz-${generation + 1}-${world.mode}`;
    const [first, second] = [await world.signUp(`${name}-1`), await world.signUp(`${name}-2`)];
    const created = (await world.prepare(first, {
      ...{ method: 'POST', path: '/api/keys', body: { name: 'fuzz', scope: 'write' } },
    })) as { id: string; key: string };
    const $OTHER_PROJECT = (await world.connect(second, 'fuzzed', buildSmall)).id;
    Object.assign(ids, await makeProject(world, first), { $OTHER_PROJECT, $KEY: created.id });
    Object.assign(ids, { $USER: second.id, $USER_NAME: second.username, $USER_EMAIL: second.email });
    [one, two, key] = [first, second, { ...first, bearer: created.key }];
    generation += 1;
  };
  await make();
  const names = () => Object.keys(ids).toSorted((a, b) => b.length - a.length);
  const fillText = (text: string) =>
    names()
      .reduce((filled, name) => filled.replaceAll(name, ids[name]!), text)
      .replaceAll('$NUMBER', () => String(++number));
  return {
    user: (caller) => ({ one, two, key })[caller]!,
    generation: () => generation,
    fill: ({ path, body, ...rest }) => ({
      ...rest,
      path: fillText(path),
      ...(body !== undefined && { body: typeof body === 'string' ? fillText(body) : body }),
    }),
    async repair({ caller, route }, { status }, before) {
      const signedOut =
        status === 401 && caller !== 'visitor' && caller !== 'admin' && !/two-factor/.test(route.path);
      const name = `${route.method} ${route.path}`;
      const ended =
        status === 200 &&
        /^(?:DELETE \/projects\/:id|DELETE \/projects\/:id\/membership|PUT \/projects\/:id\/owner|POST \/auth\/me\/delete|DELETE \/keys\/:id)$/.test(
          name,
        );
      if (!(signedOut && caller !== 'key') && !ended) return;
      if (signedOut && (await isSignedIn(world, caller === 'two' ? two! : one!))) return;
      while (repairing) await repairing;
      // Another call has created them again meanwhile.
      if (generation !== before) return;
      repairing = make().finally(() => {
        repairing = null;
      });
      await repairing;
    },
  };
}

async function isSignedIn(world: World, user: User): Promise<boolean> {
  const reply = await world.send(user, { path: '/api/auth/me' });
  return reply.status === 200;
}

async function makeProject(world: World, user: User): Promise<Record<string, string>> {
  const { id } = await world.connect(user, 'fuzzed', buildSmall);
  const commit = await world.repositories.open('fuzzed').git(['rev-parse', 'main']);
  const as = (method: string, path: string, body?: unknown) =>
    world.prepare(user, { method, path, ...(body !== undefined && { body }) });
  await as('POST', '/api/debug', { error_message: 'boom', project_id: id });
  const sessions = (await as('GET', '/api/debug/sessions')) as { sessions: { id: string }[] };
  const chat = await as('POST', `/api/chat/projects/${id}/messages`, { message: 'Why?' });
  return {
    ...{ $PROJECT: id, $COMMIT: commit, $SESSION: sessions.sessions[0]?.id ?? 'missing' },
    ...{ $THREAD: String(chat.thread_id), $MESSAGE: String(chat.id) },
  };
}

/** Creates project, files, drafts, keys, chats and sessions of a user who sends no further requests. */
async function plantSecrets(world: World): Promise<Record<string, string>> {
  const user = await world.signUp(`fuzz-secret-${world.mode}`);
  const { id } = await world.connect(user, 'fuzz-secret', buildSecret);
  const as = (method: string, path: string, body?: unknown) =>
    world.prepare(user, { method, path, ...(body !== undefined && { body }) });
  await as('PATCH', `/api/projects/${id}`, { name: `${FUZZ_CANARY} project`, description: FUZZ_CANARY });
  const key = await as('POST', '/api/keys', { name: `${FUZZ_CANARY} key`, scope: 'read', project_id: id });
  const draft = await as('POST', `/api/ide/projects/${id}/files/draft.txt`, {
    content: FUZZ_CANARY,
    commit_message: FUZZ_CANARY,
  });
  await as('POST', '/api/debug', { error_message: `${FUZZ_CANARY} error`, project_id: id });
  const sessions = (await as('GET', '/api/debug/sessions')) as { sessions: { id: string }[] };
  const chat = await as('POST', `/api/chat/projects/${id}/messages`, { message: `${FUZZ_CANARY} question` });
  return {
    ...{ $SECRET_PROJECT: id, $SECRET_KEY_ID: String(key.id), $SECRET_THREAD: String(chat.thread_id) },
    ...{
      $SECRET_SESSION: sessions.sessions[0]?.id ?? 'missing',
      $SECRET_USER: user.id,
      $SECRET_USER_NAME: user.username,
    },
    ...{ $DRAFT_COMMIT: String(draft.commit), $SECRET_COMMIT: String(draft.commit) },
  };
}

async function buildSecret(repo: AttackRepository): Promise<void> {
  await repo.commit({ message: `${FUZZ_CANARY} commit`, files: { 'src/hidden.js': `// ${FUZZ_CANARY}\n` } });
}
