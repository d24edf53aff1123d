import { parseArgs } from 'node:util';
import { answerQuestion } from '../src/assistant/chat/answer-question.ts';
import { startSpawner } from '../src/git/spawner.ts';
import { findRepository } from './options.ts';
import { openQuestionIndex } from './question-index.ts';
import { readQuestions } from './question-sets.ts';
import { percentile } from './speed-timing.ts';

/*
 * node bench/question-times.ts --repositories DIR [--set times-git] [--rounds 3] [--cache DIR]
 *
 * Times questions of all kinds about a large repository: the minimum of some rounds after a first one, and the first one. The
 * questions of a round displace each other's patches in the caches. Processor time is that of this process, without git's; git is
 * started by a small process, as in the product.
 */

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    set: { type: 'string', default: 'times-git' },
    rounds: { type: 'string', default: '3' },
    cache: { type: 'string' },
  },
});
if (!values.repositories) throw new Error('Name the folder of the repositories: --repositories DIR');

const spawner = await startSpawner();
const NOW = '2026-10-01T00:00:00Z';
const questions = readQuestions(values.set);
const [{ repository, revision }] = questions as [(typeof questions)[0]];
const repo = findRepository(values.repositories, repository);
const opened = await openQuestionIndex(repo, revision, { name: repository, cache: values.cache });
const times = questions.map(({ kind, text }) => ({ kind, text, wall: [] as number[], cpu: [] as number[] }));

for (let round = 0; round <= Number(values.rounds); round++) {
  for (const row of times) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    await answerQuestion({ text: row.text, earlier: [] }, { repo, ...opened, language: 'en', now: NOW });
    const { user, system } = process.cpuUsage(used);
    row.wall.push(performance.now() - began);
    row.cpu.push((user + system) / 1000);
  }
}

await spawner.close();

const commits = opened.index.commits.count.toLocaleString('en');
console.log(`${times.length} questions about ${repository} (${commits} commits), ${values.rounds} rounds\n`);
console.log('| ms | p50 | p95 | slowest |\n|---|--:|--:|--:|');
const later = (all: number[]) => Math.min(...all.slice(1));
printRow('wall time', ({ wall }) => later(wall));
printRow('processor time', ({ cpu }) => later(cpu));
printRow('wall time, first round', ({ wall }) => wall[0]!);
printRow('processor time, first round', ({ cpu }) => cpu[0]!);
console.log('\n| slowest questions | wall time | processor time |\n|---|--:|--:|');
for (const { kind, text, wall, cpu } of times.toSorted((a, b) => later(b.wall) - later(a.wall)).slice(0, 8))
  console.log(`| ${kind}: ${text} | ${later(wall).toFixed(0)} | ${later(cpu).toFixed(0)} |`);

function printRow(name: string, of: (row: (typeof times)[0]) => number): void {
  const all = times.map(of);
  const cells = [percentile(all, 0.5), percentile(all, 0.95), Math.max(...all)].map((ms) => ms.toFixed(0));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
