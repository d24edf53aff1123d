import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProofFault } from './faults.ts';

/** A copy of a history with a fault in it. */
export interface FaultyHistory {
  /** Absolute path of a bare repository, which borrows the objects of the original. */
  repo: string;
  bad: string;
  good: string;
  culprit: string;
}

/**
 * Copies a history and changes a line from the culprit on: in its own commit and in every descendant whose file has the line, with
 * the same authors, times and messages. A fault that happened needs no change.
 */
export async function rewriteHistory(
  original: string,
  fault: ProofFault,
  folder: string,
): Promise<FaultyHistory> {
  const { bad, good, culprit, seed } = fault;
  const repo = join(folder, 'repo.git');
  execFileSync('git', ['init', '-q', '--bare', repo]);
  mkdirSync(join(repo, 'objects', 'info'), { recursive: true });
  writeFileSync(join(repo, 'objects', 'info', 'alternates'), `${join(original, 'objects')}\n`);
  if (!seed) return finish({ repo, bad, good, culprit });
  const commits = readDescendants(repo, culprit, bad);
  const blobs = readBlobs(repo, commits, seed.path);
  const marks = new Map(commits.map(({ oid }, at) => [oid, `:${at + 1}`]));
  const stream: Buffer[] = [];
  for (const [at, { oid, tree, parents }] of commits.entries()) {
    const raw = execFileSync('git', ['cat-file', 'commit', oid], { cwd: repo, maxBuffer: 2 ** 26 });
    const split = raw.indexOf('\n\n');
    const header = raw.subarray(0, split).toString('latin1').split('\n');
    const person = (role: string) => header.find((line) => line.startsWith(`${role} `))!;
    const message = raw.subarray(split + 2);
    const text = [
      `commit refs/heads/main\nmark :${at + 1}\n`,
      ...['author', 'committer'].map((role) => `${person(role)}\n`),
      `data ${message.length}\n`,
    ].join('');
    stream.push(Buffer.from(text, 'latin1'), message, Buffer.from('\n'));
    stream.push(
      Buffer.from(
        parents
          .map((parent, order) => `${order === 0 ? 'from' : 'merge'} ${marks.get(parent) ?? parent}\n`)
          .join(''),
      ),
    );
    stream.push(Buffer.from(`M 040000 ${tree} \n`));
    const before = blobs.get(oid);
    const after = before && changeLine(before, seed);
    if (after) {
      stream.push(
        Buffer.from(`M 100644 inline ${seed.path}\ndata ${after.length}\n`),
        after,
        Buffer.from('\n'),
      );
    }
  }
  const marked = await importStream(repo, Buffer.concat(stream));
  return finish({ repo, bad: marked[commits.length]!, good, culprit: marked[1]! });
}

function finish(history: FaultyHistory): FaultyHistory {
  execFileSync('git', ['update-ref', 'refs/heads/main', history.bad], { cwd: history.repo });
  return history;
}

interface HistoryCommit {
  oid: string;
  tree: string;
  parents: string[];
}

/** The culprit and what descends from it up to the bad end, parents first. */
function readDescendants(repo: string, culprit: string, bad: string): HistoryCommit[] {
  const args = [
    'log',
    '--topo-order',
    '--reverse',
    '--format=%H %T %P',
    '--ancestry-path',
    `${culprit}..${bad}`,
  ];
  const list = (more: string[]) =>
    execFileSync('git', more, { cwd: repo, encoding: 'utf8', maxBuffer: 2 ** 28 })
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [oid = '', tree = '', ...parents] = line.trim().split(' ');
        return { oid, tree, parents };
      });
  return [...list(['log', '-1', '--format=%H %T %P', culprit]), ...list(args)];
}

/** Contents of a file at commits. */
function readBlobs(repo: string, commits: readonly HistoryCommit[], path: string): Map<string, Buffer> {
  const input = commits.map(({ oid }) => `${oid}:${path}`).join('\n');
  const output = execFileSync('git', ['cat-file', '--batch'], {
    cwd: repo,
    input: `${input}\n`,
    maxBuffer: 2 ** 30,
  });
  const found = new Map<string, Buffer>();
  let at = 0;
  for (const { oid } of commits) {
    const end = output.indexOf('\n', at);
    const header = output.subarray(at, end).toString();
    const size = Number(/ blob (\d+)$/.exec(header)?.[1] ?? -1);
    at = end + 1;
    if (size < 0) continue;
    found.set(oid, output.subarray(at, at + size));
    at += size + 1;
  }
  return found;
}

/** Changes the line where the file has it exactly once; null elsewhere. */
function changeLine(content: Buffer, { before, after }: { before: string; after: string }): Buffer | null {
  const lines = content.toString('latin1').split('\n');
  const wanted = Buffer.from(before).toString('latin1');
  const at = lines.indexOf(wanted);
  if (at < 0 || lines.lastIndexOf(wanted) !== at) return null;
  lines[at] = Buffer.from(after).toString('latin1');
  return Buffer.from(lines.join('\n'), 'latin1');
}

/** Imports a stream; the hashes by mark, from 1. */
async function importStream(repo: string, stream: Buffer): Promise<string[]> {
  const marks = join(repo, 'marks');
  const child = spawn('git', ['fast-import', '--quiet', '--force', `--export-marks=${marks}`], {
    cwd: repo,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  child.stdin.end(stream);
  if ((await ended) !== 0) throw new Error(`git fast-import failed in ${repo}.`);
  const found: string[] = [];
  for (const line of readFileSync(marks, 'utf8').split('\n').filter(Boolean)) {
    const [mark = '', oid = ''] = line.split(' ');
    found[Number(mark.slice(1))] = oid;
  }
  return found;
}
