import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyRun } from '../../src/proof/classify-run.ts';
import type { RunReport } from '../../src/proof/runner.ts';
import { findRepository } from '../options.ts';
import type { ProofFault } from './faults.ts';
import type { ProofRepository } from './repositories.ts';

/** A checkout in which tests run, one revision after the other. */
export interface TestCheckout {
  folder: string;
  repository: ProofRepository;
  git(...args: string[]): string;
  /** Full hash of the newest revision. */
  head: string;
  dependencies: string;
}

interface CheckoutFolders {
  repositories: string;
  work: string;
  dependencies: string;
}

const TIMEOUT_S = 400;
const MAX_RELEASES = 3;

/** Opens the checkout of a repository below `work`. */
export function openCheckout(
  repository: ProofRepository,
  { repositories, work, dependencies }: CheckoutFolders,
): TestCheckout {
  const folder = join(work, repository.name.replace('/', '+'));
  if (!existsSync(folder)) {
    mkdirSync(work, { recursive: true });
    const original = findRepository(repositories, repository.name);
    execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', original, folder]);
  }
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const head = git('rev-parse', `${repository.head}^{commit}`).trim();
  return { folder, repository, git, head, dependencies };
}

/** Runs a command at a commit, with a changed line or with the tests of a later commit. */
export function runAt(
  { folder, repository, git, dependencies }: TestCheckout,
  commit: string,
  command: string,
  { seed, tests }: Pick<ProofFault, 'seed' | 'tests'> = {},
): RunReport {
  git('reset', '--hard', '--quiet', commit);
  git('clean', '-ffdq');
  if (tests) git('checkout', '--quiet', tests.commit, '--', ...tests.paths);
  if (repository.dependencies) {
    const link = join(folder, 'node_modules');
    if (!existsSync(link)) symlinkSync(join(dependencies, repository.dependencies), link);
  }
  if (seed) changeLine(join(folder, seed.path), seed);
  const args = ['-k', '5', String(TIMEOUT_S), 'env', 'PYTHONDONTWRITEBYTECODE=1', 'sh', '-c', command];
  const { status, stdout, stderr } = spawnSync('timeout', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const limit = status === 124 || status === 137 ? 'time' : null;
  return classifyRun({ exitCode: status, signal: null, limit, output: `${stdout}${stderr}`, ms: 0 });
}

function changeLine(file: string, { before, after }: NonNullable<ProofFault['seed']>): void {
  const lines = readFileSync(file, 'latin1').split('\n');
  const at = lines.indexOf(Buffer.from(before).toString('latin1'));
  lines[at] = Buffer.from(after).toString('latin1');
  writeFileSync(file, lines.join('\n'), 'latin1');
}

/** The newest release before a commit at which the test passes, at most three back; else the commit itself. */
export function findGoodRelease(
  checkout: TestCheckout,
  parent: string,
  command: string,
  tests?: ProofFault['tests'],
): string {
  let from = parent;
  let found = parent;
  for (let release = 0; release < MAX_RELEASES; release++) {
    const described = spawnSync('git', ['describe', '--tags', '--abbrev=0', from], {
      cwd: checkout.folder,
      encoding: 'utf8',
    });
    if (described.status !== 0) break;
    const tag = checkout.git('rev-parse', `${described.stdout.trim()}^{commit}`).trim();
    if (runAt(checkout, tag, command, { tests }).outcome !== 'good') break;
    found = tag;
    from = `${tag}^`;
  }
  return found;
}

/** True when a commit has a file or folder. */
export function hasPath({ folder }: TestCheckout, commit: string, path: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}:${path}`], { cwd: folder }).status === 0;
}
