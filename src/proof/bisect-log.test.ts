import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import { parseBisectLog } from './bisect-log.ts';
import { formatBisectScript } from './bisect-script.ts';
import { readCommitRange } from './bisection/commit-range.ts';
import { judgeBisectLog } from './bisection/judge-log.ts';

let folder: string;
const commits: string[] = [];
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hindsight-log-'));
  git('init', '-q', '-b', 'main');
  for (let number = 0; number < 12; number++) {
    writeFileSync(join(folder, 'total.txt'), number < 7 ? `right ${number}\n` : `wrong ${number}\n`);
    git('add', '-A');
    git('commit', '-qm', `Change ${number} [${'b'.repeat(40)}]`);
    commits.push(git('rev-parse', 'HEAD'));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const history = async () => await readCommitRange(join(folder, '.git'), { good: null, bad: commits[11]! });

test('the script finds the commit without touching the checkout, and its log proves it', async () => {
  writeFileSync(join(folder, 'total.txt'), 'not committed\n');
  for (const suspects of [[], [commits[3]!, commits[7]!]]) {
    const script = formatBisectScript({
      ...{ command: `grep -q '^right' "total.txt"`, setup: 'true', suspects },
      ...{ good: commits[0]!, bad: commits[11]! },
    });
    execFileSync('sh', ['-c', script!], { cwd: folder, stdio: 'pipe' });
    const log = parseBisectLog(readFileSync(join(folder, 'hindsight-bisect.log'), 'utf8'))!;
    expect(log.claimed).toBe(commits[7]);
    expect(judgeBisectLog(log, await history())).toEqual({ state: 'proven', firstBad: commits[7] });
    // The ends come with the start, and a suspect with its parent.
    if (suspects.length > 0)
      expect(log.runs.slice(2, 4).map(({ commit }) => commit)).toEqual([commits[2], commits[3]]);
  }
  expect(readFileSync(join(folder, 'total.txt'), 'utf8')).toBe('not committed\n');
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('main');
  expect(
    formatBisectScript({ command: 'a\nb', good: commits[0]!, bad: commits[1]!, suspects: [] }),
  ).toBeNull();
}, 60_000);

test('a log is judged by its outcomes, never by its claim', async () => {
  const [good, bad] = [commits[6]!, commits[7]!];
  const judge = async (text: string) => judgeBisectLog(parseBisectLog(text)!, await history());
  expect(await judge(`git bisect start\ngit bisect bad ${bad}\ngit bisect good ${good}\n`)).toEqual({
    state: 'proven',
    firstBad: bad,
  });
  const terms = `git bisect start '--term-new=broken' '--term-old=fine' '${bad}' '${good}'\ngit bisect broken ${bad}\n`;
  expect(await judge(terms)).toEqual({ state: 'proven', firstBad: bad });
  const claim = `# first bad commit: [${good}] lies\n`;
  expect(await judge(`git bisect bad ${commits[11]}\n${claim}`)).toEqual({ state: 'inconclusive' });
  expect(await judge(`git bisect bad ${'c'.repeat(40)}`)).toEqual({
    state: 'unknown_commit',
    commit: 'c'.repeat(40),
  });
  expect(await judge(`git bisect bad ${bad}\ngit bisect good ${bad}`)).toEqual({
    state: 'contradiction',
    commit: bad,
  });
  expect(await judge(`git bisect bad ${good}\ngit bisect good ${bad}`)).toEqual({
    state: 'contradiction',
    commit: good,
  });
});

test('hostile logs are read in linear time and yield nothing but hashes', async () => {
  expect(parseBisectLog('')).toBeNull();
  expect(
    parseBisectLog(`git bisect bad HEAD\ngit bisect good ${'a'.repeat(39)}\ngit bisect reset\n$(id)`),
  ).toBeNull();
  expect(parseBisectLog(`# bad: [${'a'.repeat(40)}] git bisect bad ${'a'.repeat(40)}`)).toBeNull();
  const many = `git bisect skip ${'a'.repeat(40)}\n`.repeat(50_000);
  expect(parseBisectLog(many)!.runs.length).toBe(5_000);
  const hostile =
    `git bisect start ${"'".repeat(3_000)}\n`.repeat(300) +
    ' -- '.repeat(200_000) +
    '--term-old='.repeat(90_000);
  expect(await measureCpuMs(() => parseBisectLog(hostile))).toBeLessThan(2_000);
});
