import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openBlobReader } from '../src/git/blobs.ts';
import { log } from '../src/git/log.ts';
import { commitTime } from '../src/git/refs.ts';
import { git, gitStream } from '../src/git/run.ts';
import { listTree } from '../src/git/tree.ts';
import { scanWords } from '../src/memory/tokens.ts';
import { mb, ms, type Row, type Subject } from './speed-row.ts';
import { race } from './speed-timing.ts';

const run = promisify(execFile);
const LOG = ['log', '--raw', '-M', '--format=%H%n%P%n%an%n%ae%n%at%n%B'];

/** Measurements of a build in a separate process; times in milliseconds, CPU time without git's. */
export interface Built {
  ms: number;
  /** Until all files could be searched, and until all commits could be as well. */
  filesMs: number;
  searchableMs: number;
  processor: number;
  /** Peak memory over idle. */
  bytes: number;
  generation: string;
}

/** Builds an index in a folder. */
export async function build(subject: Pick<Subject, 'repo' | 'head'>, directory: string): Promise<Built> {
  const [built] = await ingest(subject, directory, '', 1);
  return built!;
}

/** Builds an index, or refreshes a generation, this many times in one process. */
async function ingest(
  { repo, head }: Pick<Subject, 'repo' | 'head'>,
  directory: string,
  previous: string,
  times: number,
): Promise<Built[]> {
  const program = fileURLToPath(new URL('./speed-ingest.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [program, repo, head, directory, previous, String(times)]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Built);
}

/** Commits with their paths, beside `git log`. */
export async function commitsRow({ name, repo, head, rounds }: Subject): Promise<Row> {
  const [ours, theirs] = await race(
    rounds,
    async () => {
      for await (const _ of log(repo, { from: head }));
    },
    () => drain(repo, LOG, [head]),
  );
  return compared('commits with paths, parsed', name, ours, 'git log --raw -M', theirs, 1.4);
}

/** All words of all files, beside `git cat-file`. */
export async function wordsRow({ name, repo, head, rounds }: Subject): Promise<Row> {
  const oids: string[] = [];
  for await (const entry of listTree(repo, head)) if (entry.type === 'blob') oids.push(entry.oid);
  const [ours, theirs] = await race(
    rounds,
    () => readWords(repo, oids),
    () => drain(repo, ['cat-file', '--batch'], [], `${oids.join('\n')}\n`),
  );
  return compared('HEAD read and cut into words', name, ours, 'git cat-file --batch', theirs, 3);
}

/** From the clone to a searchable index: time, and memory over an idle process. */
export async function buildRows(subject: Subject, built: Built): Promise<Row[]> {
  const { name, repo, head, rounds } = subject;
  const [theirs] = await race(
    rounds,
    () => drain(repo, LOG, [head]),
    () => {},
  );
  const limit = name === 'git/git' ? 1.5 : 4;
  const row = (what: string, ours: number) => compared(what, name, ours, 'git log --raw -M', theirs, limit);
  const complete = row('clone to complete index', built.ms);
  return [
    row('clone to searchable: every file and commit', built.searchableMs),
    { ...row('first results: every file and the newest commits', built.filesMs), goal: '–', met: null },
    {
      ...complete,
      ours: `${complete.ours}, processor ${ms(built.processor)} without git`,
      ...{ goal: '–', met: null },
    },
    {
      what: 'memory while it is built, over idle',
      repository: name,
      ours: mb(built.bytes),
      rival: '–',
      ratio: null,
      goal: '≤ 350 MB',
      met: built.bytes <= 350e6,
    },
  ];
}

/**
 * A refresh after ten changed files, beside the full build: the first one of a process, and the best of those after it, as
 * in a server that is used.
 */
export async function refreshRows(subject: Subject, full: Built, directory: string): Promise<Row[]> {
  const { name } = subject;
  const [first, ...later] = await refreshTimes(subject, full, directory);
  const row = (what: string, ms: number): Row => {
    const row = compared(what, name, ms, 'full build', full.ms, 1 / 50);
    return { ...row, goal: '≤ 400 ms and ≤ 1/50', met: row.met && ms <= 400 };
  };
  return [
    row('refresh after 10 changed files, the first of a process', first!),
    row('refresh after 10 changed files', Math.min(...later)),
  ];
}

/** Milliseconds of refreshes after ten changed files, one after the other in one process. */
export async function refreshTimes(subject: Subject, full: Built, directory: string): Promise<number[]> {
  const repo = join(subject.folder, 'changed.git');
  const head = await changeTenFiles(subject, repo);
  const times = await ingest({ repo, head }, directory, full.generation, 1 + subject.rounds);
  return times.map(({ ms }) => ms);
}

/** Bytes of the indexed files, of their index and texts on disk, and of the memory in use. */
interface Sizes {
  source: number;
  code: number;
  texts: number;
  memory: number;
}

/** Size of the index on disk and in memory, compared with the indexed files. */
export function sizeRows({ name }: Subject, sizes: Sizes): Row[] {
  const { source, code, texts, memory } = sizes;
  const row = (what: string, bytes: number, limit: number | null, goal: string): Row => {
    return {
      what,
      repository: name,
      ours: mb(bytes),
      rival: `source ${mb(source)}`,
      ratio: bytes / source,
      goal,
      met: limit === null ? null : bytes <= limit,
    };
  };
  return [
    row('index of HEAD on disk', code, 0.4 * source, '≤ 0.4 of the source'),
    row('texts of HEAD beside it, packed', texts, null, '–'),
    row('memory while HEAD is served', memory, source + 100e6, '≤ 1 of the source + 100 MB'),
  ];
}

function compared(
  what: string,
  repository: string,
  ours: number,
  rival: string,
  theirs: number,
  limit: number,
): Row {
  const ratio = ours / theirs;
  const goal = limit < 1 ? `≤ 1/${Math.round(1 / limit)}` : `≤ ${limit}`;
  return {
    what,
    repository,
    ours: ms(ours),
    rival: `${rival} ${ms(theirs)}`,
    ratio,
    goal,
    met: ratio <= limit,
  };
}

async function drain(repo: string, args: string[], revisions: string[], input = ''): Promise<void> {
  for await (const _ of gitStream(repo, args, { name: args[0]!, revisions, input, timeoutMs: 600_000 }));
}

async function readWords(repo: string, oids: string[]): Promise<number> {
  const blobs = openBlobReader(repo);
  let words = 0;
  try {
    // So many at once, as when they are indexed.
    for (let at = 0; at < oids.length; at += 64) {
      for (const blob of await Promise.all(oids.slice(at, at + 64).map((oid) => blobs.read(oid, 2 ** 20)))) {
        if (blob && 'content' in blob) scanWords(blob.content.toString(), () => words++);
      }
    }
  } finally {
    blobs.close();
  }
  return words;
}

/** A repository beside `repo` that borrows its objects, with a commit that changes ten files; its full hash. */
async function changeTenFiles({ repo, head }: Subject, changed: string): Promise<string> {
  await git(null, ['clone', '--bare', '--shared', '--quiet', '--', repo, changed], {
    name: 'clone',
    config: { 'safe.directory': '*', 'protocol.file.allow': 'always' },
    env: { GIT_ALLOW_PROTOCOL: 'file' },
  });
  const paths: string[] = [];
  for await (const { type, path, mode } of listTree(repo, head)) {
    if (type === 'blob' && mode === '100644' && path && /\.(?:c|js|ts|py|go|java|rs)$/.test(path))
      paths.push(path);
  }
  const step = Math.max(1, Math.floor(paths.length / 10));
  const lines = Array.from({ length: 10 }, (_, index) => {
    const content = `int changed_${index}(void)\n{\n\treturn ${index};\n}\n`;
    return `M 100644 inline ${paths[index * step]}\ndata ${content.length}\n${content}\n`;
  });
  const message = 'Change ten files';
  // Newer than what it changes: git would walk through all commits that are newer than it.
  const time = Math.floor((await commitTime(repo, head)) / 1000) + 60;
  const commit = `commit refs/heads/changed\ncommitter A <a@example.org> ${time} +0000\n`;
  const input = `${commit}data ${message.length}\n${message}\nfrom ${head}\n${lines.join('')}done\n`;
  await git(changed, ['fast-import', '--quiet', '--done'], { name: 'fast-import', input });
  const { stdout } = await git(changed, ['rev-parse', 'refs/heads/changed'], { name: 'rev-parse' });
  return stdout.toString().trim();
}
