import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { percentile } from './speed-timing.ts';

/**
 * Measures searches over all projects of an account through a running server: queries of all types, each asked once.
 *
 *     node bench/search-projects.ts --url http://127.0.0.1:3000 --email E --password P [--queries 200] [--out FILE]
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    email: { type: 'string' },
    password: { type: 'string' },
    queries: { type: 'string', default: '200' },
    out: { type: 'string' },
  },
});
if (!values.email || !values.password)
  throw new Error('Give --email and --password of an account with projects.');
const GOAL_MS = 100;

interface Kind {
  name: string;
  match?: string;
  query(words: string[]): string;
}

/** Types in the shares in which they are asked: half of the queries are of code. */
const KINDS: Kind[] = [
  { name: 'code by words', query: ([a, b]) => `${a} ${b}` },
  { name: 'code by exact text', match: 'exact', query: ([a]) => a! },
  { name: 'code by words, filtered', query: ([a]) => `-path:test ${a}` },
  { name: 'code by expression', match: 'regex', query: ([a]) => `${a}[A-Za-z]*[(]` },
  { name: 'code by exact text', match: 'exact', query: ([, b]) => b! },
  { name: 'symbols', query: ([a]) => `type:symbols ${a}` },
  { name: 'files', query: ([a]) => `type:files ${a}` },
  { name: 'commits', query: ([a, b]) => `type:commits ${a} ${b}` },
  { name: 'changes', query: ([a, b]) => `type:changes ${a} ${b}` },
  { name: 'errors', query: ([a]) => `type:errors ${a}` },
];

const signIn = await fetch(`${values.url}/api/auth/login`, {
  method: 'POST',
  body: new URLSearchParams({ username: values.email, password: values.password }),
});
const { access_token: token } = (await signIn.json()) as { access_token: string };

async function call<T>(path: string): Promise<T> {
  const reply = await fetch(`${values.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}

const projects =
  await call<{ id: string; name: string; coverage: { files: number; commits: number } | null }[]>(
    '/projects',
  );
const words: string[] = [];
for (const { id } of projects) {
  const { commits } = await call<{ commits: { message: string }[] }>(`/projects/${id}/commits?limit=100`);
  for (const { message } of commits) words.push(...(message.match(/[A-Za-z_]{4,}/g) ?? []).slice(0, 4));
}

async function ask({ match = 'words', query }: Kind, at: number): Promise<number> {
  const q = query([words[(at * 37) % words.length]!, words[(at * 91 + 5) % words.length]!]);
  const start = performance.now();
  await call(`/search/results?${new URLSearchParams({ q, match })}`);
  return performance.now() - start;
}

// The first queries of each type open the indexes in their thread.
for (const kind of KINDS) await ask(kind, 9_999);
const load = loadavg()[0]!.toFixed(1);
const times: [string, number][] = [];
for (let at = 0; at < Number(values.queries); at++) {
  const kind = KINDS[at % KINDS.length]!;
  times.push([kind.name, await ask(kind, at)]);
}
const row = (name: string, all: number[]) =>
  `| ${name} | ${all.length} | ${percentile(all, 0.5).toFixed(0)} | ${percentile(all, 0.95).toFixed(0)} |`;
const sizes = projects.map(
  ({ name, coverage }) => `${name} (${coverage?.files} files, ${coverage?.commits} commits)`,
);
const table = [
  '# Search over several projects',
  '',
  `Each query once, through the server, on ${availableParallelism()} cores (${cpus()[0]?.model}) at a load of ${load}, over ${projects.length} projects: ${sizes.join(', ')}.`,
  '',
  '| search | queries | median ms | 95th percentile ms |',
  '|---|---:|---:|---:|',
  ...[...Map.groupBy(times, ([name]) => name)].map(([name, some]) =>
    row(
      name,
      some.map(([, ms]) => ms),
    ),
  ),
  row(
    `all (goal: 95th percentile ≤ ${GOAL_MS})`,
    times.map(([, ms]) => ms),
  ),
  '',
].join('\n');
process.stdout.write(table);
if (values.out) writeFileSync(values.out, table);
