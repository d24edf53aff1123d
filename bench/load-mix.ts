import { randomBytes } from 'node:crypto';
import { type GeneratedSize, generatedError, generatedPath, generatedQuery } from './generated-repository.ts';
import { envelope } from './intake-events.ts';
import type { LoadProject } from './load-people.ts';
import { type LoadReply, send } from './load-request.ts';

/** A kind of request, and its share of all in per cent. */
export interface LoadKind {
  name: string;
  share: number;
  send(server: string): Promise<LoadReply>;
}

/** Files that one person saves again and again. */
const SAVED_FILES = 5;

/** The mix: people read and search, ask about errors and save now and then, while programs report errors. */
export function createMix({ id, intake, people }: LoadProject, { files }: GeneratedSize): LoadKind[] {
  let counter = 0;
  const next = () => {
    counter += 1;
    return { number: counter, person: people[counter % people.length]!, file: (counter * 7_919) % files };
  };
  const read = (path: (file: number) => string) => (server: string) => {
    const { person, file } = next();
    const { token, index: client } = person;
    return send(`${server}/api${path(file)}`, { method: 'GET', token, client });
  };
  const write = (path: (number: number) => string, body: (file: number, number: number) => object) => {
    return (server: string) => {
      const { person, file, number } = next();
      const { token, index: client } = person;
      return send(`${server}/api${path(number)}`, {
        method: 'POST',
        token,
        client,
        body: body(file, number),
      });
    };
  };
  const inProject = (query: Record<string, string>) => new URLSearchParams({ project_id: id, ...query });
  return [
    { name: 'file', share: 25, send: read((file) => `/ide/projects/${id}/files/${generatedPath(file)}`) },
    { name: 'project', share: 10, send: read(() => `/projects/${id}`) },
    { name: 'commits', share: 10, send: read(() => `/projects/${id}/commits`) },
    {
      name: 'search',
      share: 25,
      send: read((file) => `/search?${inProject({ q: `${generatedQuery(file)} ${file}` })}`),
    },
    {
      name: 'debug answer',
      share: 5,
      send: write(
        () => '/debug',
        (file) => ({ project_id: id, error_message: generatedError(file) }),
      ),
    },
    {
      name: 'chat',
      share: 5,
      send: write(
        () => `/chat/projects/${id}/messages`,
        (file) => ({ message: `What does ${generatedPath(file)} do?`, use_chat_history: false }),
      ),
    },
    {
      name: 'save',
      share: 5,
      send: write(
        (number) => `/ide/projects/${id}/files/saved/${number % SAVED_FILES}.txt`,
        (_file, number) => ({ content: `${number}\n`, branch: `load/${number % people.length}` }),
      ),
    },
    {
      name: 'error event',
      share: 15,
      send: (server) => {
        const body = envelope([randomBytes(16).toString('hex')]);
        return send(`${server}${intake}`, { method: 'POST', client: next().number, body });
      },
    },
  ];
}
