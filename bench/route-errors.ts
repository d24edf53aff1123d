import { parseArgs } from 'node:util';
import { isForeign } from '../src/investigate/kind/match-project.ts';
import { scoreProject } from '../src/investigate/kind/score-project.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { isClearMatch } from '../src/server/debug/match-projects.ts';
import { type LabelledError, readErrors } from './error-sets.ts';
import { findRepository } from './options.ts';
import { openQuestionIndex } from './question-index.ts';

/*
 * node bench/route-errors.ts --repositories DIR [--cache DIR] [--show yes] --set NAME…
 *
 * Routes each labelled error to one of ten projects, as the home page does: its own at the revision of the error, and nine others
 * of the sets. A text of another program, or a complaint, is right where it is not routed to the project of its label; strictly, where
 * it is routed to none, though a few of these texts are of one of the nine others.
 */
const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    cache: { type: 'string' },
    show: { type: 'string' },
    set: { type: 'string', multiple: true },
  },
});
if (!values.repositories || !values.set) throw new Error('Give --repositories DIR and --set NAME');
const folder = values.repositories;

const PROJECTS = 10;

interface Project {
  name: string;
  repo: string;
  index: RepositoryIndex;
}

const errors = values.set.flatMap(readErrors);
const others: Project[] = [];
for (const [name, own] of Map.groupBy(errors, ({ repository }) => repository))
  if (others.length <= PROJECTS) others.push(await open(name, own[0]!.revision));
let [right, strictlyRight] = [0, 0];
const wrong: string[] = [];
for (const error of errors) {
  const own = await open(error.repository, error.revision);
  const candidates = [own, ...others.filter(({ name }) => name !== own.name)].slice(0, PROJECTS);
  const chosen = await route(error, candidates);
  const isDeclined = error.expect.declined ?? false;
  const isRight = (chosen === error.repository) !== isDeclined;
  const isStrictlyRight = isRight && (!isDeclined || chosen === null);
  if (isRight) right++;
  if (isStrictlyRight) strictlyRight++;
  else wrong.push(`${error.id} ${error.kind}: ${chosen ?? 'none'}`);
}
console.log(`${right} of ${errors.length} routed right, ${strictlyRight} strictly`);
if (values.show) console.error(wrong.join('\n'));

async function open(name: string, revision: string): Promise<Project> {
  const repo = findRepository(folder, name);
  const { index } = await openQuestionIndex(repo, revision, { name, cache: values.cache });
  return { name, repo, index };
}

/** Name of the project that the home page chooses; null where it leaves the choice to the reader. */
async function route({ error_message }: LabelledError, projects: readonly Project[]): Promise<string | null> {
  const scored = await Promise.all(
    projects.map(async ({ name, repo, index }) => {
      const match = await scoreProject({ error_message }, { repo, index });
      return { name, score: match.score, isEvident: !isForeign(match) };
    }),
  );
  const ranked = scored.sort((a, b) => b.score - a.score);
  return isClearMatch(ranked) ? ranked[0]!.name : null;
}
