import { writeFile } from 'node:fs/promises';
import type { DebugAnswer } from '#contract/debug.ts';
import type { Project } from '#contract/projects.ts';
import { serveRepositories } from '#git/testing.ts';
import { buildLedger, raiseError } from './ledger.ts';
import { PASSWORD, startProduct } from './product.ts';

/**
 * Records the answer of the landing page: the running program, a repository with a real bug,
 * and the error that the bug raises. Run `node e2e/record.ts` and review the difference.
 */
const FILE = new URL('../src/web/site/recorded-answer.json', import.meta.url);

const repository = await buildLedger();
const server = await serveRepositories(repository.folder);
const product = await startProduct({ allowedHosts: [server.host] });
try {
  const error = withoutFolder(await raiseError(repository));
  const answer = await ask(error);
  await writeFile(FILE, `${JSON.stringify({ error, recorded_at: new Date(), answer }, null, 2)}\n`);
} finally {
  await product.stop();
  await server.close();
  await repository.remove();
}

async function ask(error_message: string): Promise<DebugAnswer> {
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  const { access_token } = await call<{ access_token: string }>('POST', '/auth/register', account);
  const project = { name: 'Ledger', git_url: `${server.url}/${repository.name}` };
  const { id } = await call<Project>('POST', '/projects', project, access_token);
  for (;;) {
    const project = await call<Project>('GET', `/projects/${id}`, undefined, access_token);
    if (project.failure) throw new Error(project.failure.text);
    if (project.status === 'ready' && project.activity === null) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return await call<DebugAnswer>('POST', '/debug', { error_message, project_id: id }, access_token);
}

async function call<T>(method: string, path: string, body?: object, bearer?: string): Promise<T> {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(bearer && { authorization: `Bearer ${bearer}` }),
  };
  const reply = await fetch(`${product.url}/api${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}

/** The program ran in a temporary folder, whose name says nothing. */
function withoutFolder(trace: string): string {
  return trace.replaceAll(/file:\/\/\/\S*?\/ledger-\w+/g, 'file:///srv/ledger');
}
