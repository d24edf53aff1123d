import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findRepository } from '../options.ts';
import { readQuestions } from '../question-sets.ts';
import { readPhrasings } from './phrasings.ts';

/*
 * node bench/fit/developer-words.ts --repositories DIR [--words src/assistant/chat/understand/developer-words.json]
 *
 * Collects the words that developers write anywhere, in lower case: in the commit messages of many repositories, or in the
 * questions about several. Names of products and projects are in few.
 */

const MESSAGES = 4_000;
const MIN_REPOSITORIES = 8;
/** Repositories whose questions must have a word. */
const MIN_ASKED = 3;
const MAX_BYTES = 256 * 2 ** 20;
const WORD = /(?<![\w./@-])[a-z]{3,20}(?![\w/@])/g;

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    words: { type: 'string', default: 'src/assistant/chat/understand/developer-words.json' },
  },
});
const folder = values.repositories;
if (!folder) throw new Error('Name the folder of the repositories: --repositories DIR');

const written = readdirSync(folder)
  .filter((name) => name.includes('+'))
  .map((name) => wordsOf(readMessages(findRepository(folder, name.replace('+', '/')))));
const asked = [...Map.groupBy(questions(), ({ repository }) => repository).values()].map((group) =>
  wordsOf(group.map(({ text }) => text).join('\n')),
);
const words = [...new Set([...commonTo(written, MIN_REPOSITORIES), ...commonTo(asked, MIN_ASKED)])];
writeFileSync(values.words, `${JSON.stringify({ words: words.toSorted().join(' ') }, null, 2)}\n`);
console.log(`${words.length} words of ${written.length} repositories`);

function questions(): { repository: string; text: string }[] {
  const sets = ['facts-open', 'facts-aside', 'facts-aside-2'].flatMap((set) => readQuestions(set));
  const phrasings = readPhrasings().map(({ group, text }) => ({ repository: group, text }));
  return [...sets.filter(({ wording }) => !/^(?:es|fr|de)$/.test(wording)), ...phrasings];
}

function readMessages(repo: string): string {
  const command = ['-C', repo, 'log', `-${MESSAGES}`, '--no-merges', '--format=%B'];
  return execFileSync('git', command, { encoding: 'utf8', maxBuffer: MAX_BYTES });
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(WORD));
}

function commonTo(sets: readonly Set<string>[], min: number): string[] {
  const counts = new Map<string, number>();
  for (const set of sets) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= min).map(([word]) => word);
}
