import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { sendJson } from './load-request.ts';

/** People of one project, and where its error events go. */
export interface LoadProject {
  id: string;
  /** Path of the intake with its key. */
  intake: string;
  people: Person[];
}

/** A signed-in member of the project. */
export interface Person {
  index: number;
  token: string;
  refreshToken: string;
}

const PASSWORD = 'a quiet harbour at dawn';
const POLL_MS = 200;
/** Handshakes at a time. */
const CONCURRENT_HANDSHAKES = 8;

/** Signs people up, connects the repository of the first and makes the others editors of it; waits until it is indexed. */
export async function setUpProject(server: string, cloneUrl: string, count: number): Promise<LoadProject> {
  const api = `${server}/api`;
  const people: Person[] = [];
  for (let index = 0; index < count; index++) people.push(await signUp(api, index));
  const { token } = people[0]!;
  const body = { name: 'Generated', git_url: cloneUrl };
  const { id } = await sendJson(`${api}/projects`, { method: 'POST', token, body });
  const project = `${api}/projects/${id}`;
  for (const { index } of people.slice(1)) {
    const member = { identifier: `person${index}`, role: 'editor' };
    await sendJson(`${project}/members`, { method: 'POST', token, body: member });
  }
  const { dsn } = await sendJson(`${project}/intake`, { method: 'POST', token });
  const { username: key, pathname } = new URL(dsn as string);
  while (true) {
    const { status, activity, failure } = await sendJson(project, { method: 'GET', token });
    if (status === 'failed') throw new Error(JSON.stringify(failure));
    if (status === 'ready' && activity === null) break;
    await sleep(POLL_MS);
  }
  return { id: id as string, intake: `/api${pathname}/envelope/?sentry_key=${key}`, people };
}

async function signUp(api: string, index: number): Promise<Person> {
  const body = { username: `person${index}`, email: `person${index}@example.org`, password: PASSWORD };
  const reply = await sendJson(`${api}/auth/register`, { method: 'POST', body });
  return { index, token: reply.access_token as string, refreshToken: reply.refresh_token as string };
}

/** Renews the access tokens of all people. */
export async function renewTokens(server: string, people: Person[]): Promise<void> {
  for (const person of people) {
    const body = { refresh_token: person.refreshToken };
    const reply = await sendJson(`${server}/api/auth/refresh`, { method: 'POST', body });
    person.token = reply.access_token as string;
    person.refreshToken = reply.refresh_token as string;
  }
}

/** Open WebSockets of the people, in turn. */
interface Sockets {
  readonly open: number;
  readonly messages: number;
  close(): void;
}

/** Opens so many WebSockets, each with a ticket, which lasts as long as the session. */
export async function openSockets(server: string, people: Person[], count: number): Promise<Sockets> {
  const sockets: WebSocket[] = [];
  let messages = 0;
  let next = 0;
  const openSome = async () => {
    while (next < count) {
      const person = people[next++ % people.length]!;
      const { token, index: client } = person;
      const { ticket } = await sendJson(`${server}/api/auth/ws-ticket`, { method: 'POST', token, client });
      const socket = new WebSocket(
        `${server.replace('http', 'ws')}/ws/notifications?token=${ticket as string}`,
      );
      socket.on('error', () => {}).on('message', () => messages++);
      await once(socket, 'open');
      sockets.push(socket);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_HANDSHAKES }, openSome));
  return {
    get open() {
      return sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
    },
    get messages() {
      return messages;
    },
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}
