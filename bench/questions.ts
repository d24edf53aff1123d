import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { answerQuestion } from '../src/assistant/chat/answer-question.ts';
import { type Citation, isResolvable, parseCitations } from '../src/assistant/citations.ts';
import { indexRepository } from '../src/memory/testing.ts';
import { findRepository } from './options.ts';

/**
 * Counts correct answers to questions about public repositories without a model:
 *
 *     npm run bench:questions -- --repositories DIR [--set open|held|unseen] [--show yes]
 *
 * A line of `questions/*.jsonl` is a question with what its answer must hold: `cites` (all of them: a hash, a path or
 * `path:line`), `says` (all of these words), `cites_some` and `says_some` (at least so many of them). What is expected was worked out
 * with git alone. `held` and `unseen` are over repositories that were unknown when they were first run.
 */
interface Question {
  repository: string;
  revision: string;
  question: string;
  expect: {
    cites?: string[];
    says?: string[];
    cites_some?: { least: number; of: string[] };
    says_some?: { least: number; of: string[] };
  };
}

/** An answer that cites everything is no answer. */
const MAX_CITATIONS = 30;
const NOW = '2026-10-01T00:00:00Z';

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    set: { type: 'string', multiple: true, default: ['open', 'held', 'unseen'] },
    show: { type: 'string' },
  },
});
if (!values.repositories) throw new Error('Say where the repositories lie: --repositories DIR');

console.log('| half | repository | questions | right | citations that resolve |\n|---|---|--:|--:|--:|');
for (const set of values.set) await runSet(set, values.repositories);

async function runSet(set: string, folder: string): Promise<void> {
  const file = new URL(`./questions/${set}.jsonl`, import.meta.url);
  const questions: Question[] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const [repository, group] of Map.groupBy(questions, (question) => question.repository)) {
    const repo = findRepository(folder, repository);
    const index = await indexRepository(repo, group[0]!.revision);
    let [right, cited, resolved] = [0, 0, 0];
    for (const { question, expect } of group) {
      const { answer } = await answerQuestion({ text: question, earlier: [] }, { repo, index, now: NOW });
      const citations = parseCitations(answer.replace(/~~.*?~~/g, ''));
      cited += citations.length;
      for (const citation of citations) resolved += Number(await isResolvable(citation, { repo, index }));
      const wrong = missing(expect, answer, citations);
      if (wrong === null) right += 1;
      else if (values.show) console.error(`\n## ${question}\n${wrong}\n\n${answer}\n`);
    }
    console.log(`| ${set} | ${repository} | ${group.length} | ${right} | ${resolved} of ${cited} |`);
  }
}

/** Missing parts of the answer as text; null when it is correct. */
function missing(
  { cites = [], says = [], cites_some, says_some }: Question['expect'],
  answer: string,
  all: Citation[],
) {
  const citations = all.slice(0, MAX_CITATIONS);
  const isCited = (what: string) => citations.some((citation) => isExpectedCitation(citation, what));
  const isSaid = (words: string) => answer.includes(words);
  const lacking = [...cites.filter((what) => !isCited(what)), ...says.filter((words) => !isSaid(words))];
  if (lacking.length > 0) return `lacks ${lacking.join(', ')}`;
  if (cites_some && cites_some.of.filter(isCited).length < cites_some.least) return 'cites too few';
  if (says_some && says_some.of.filter(isSaid).length < says_some.least) return 'names too few';
  return null;
}

/** True when a citation is of this commit, of this file, or of lines that include `path:line`. */
function isExpectedCitation(citation: Citation, what: string): boolean {
  if (citation.kind === 'commit') return what.startsWith(citation.hash);
  const [path, line] = what.split(':');
  if (citation.path !== path) return false;
  return line === undefined || (citation.from <= Number(line) && Number(line) <= citation.to);
}
