import type { ToolContext } from '../../tools/tool.ts';
import { readManifestNames } from '../understand/manifests.ts';
import { questionWords } from '../understand/question-words.ts';
import type { Reading } from '../understand/reading.ts';

/** Words about a project as a whole, of people who are new to it as well. */
const WHOLE_PROJECT = new Set(
  'overview summary summarize nutshell brief briefly short shortly generally speaking overall high level introduction architecture structure structured organised organized layout main purpose goal idea concept new newcomer beginner colleague team joined join today sentence sentences paragraph simple terms understand know idea heard stumbled looking look tool framework software folder folders directory directories file files code repo repository project program application app library package module language languages'.split(
    ' ',
  ),
);

/**
 * Number of words of a question, beside the names of the project, that speak of something else than the whole project: an answer
 * about the whole says nothing about them.
 */
export async function countOtherWords({ topic }: Reading, context: ToolContext): Promise<number> {
  const { projects } = await readManifestNames(context);
  const others = questionWords(topic, projects).filter(
    ({ isOptional, isProject, topic: { word } }) =>
      !isOptional && !isProject && !WHOLE_PROJECT.has(word.toLowerCase()),
  );
  return new Set(others.map(({ position }) => position)).size;
}

/** Probability from which a reading stands although the question has words of another topic, which may only be talk, and without them. */
const MIN_PRIOR_WITH_OTHER_WORDS = 0.36;
const MIN_PRIOR = 0.1;
/** The project by a common noun, in four languages. */
const THIS_PROJECT =
  /\b(?:projects?|repo(?:sitor(?:y|ies))?|library|proyecto|repositorio|biblioteca|projet|d[ée]p[ôo]t|biblioth[èe]que|projekt|repositorium|bibliothek)\b/iu;

/** True for an unlikely reading of a question about something in particular: the whole project is no answer to it. */
export async function asksForPart(reading: Reading, context: ToolContext): Promise<boolean> {
  const { prior, question } = reading;
  if (prior < MIN_PRIOR) return true;
  if (prior >= MIN_PRIOR_WITH_OTHER_WORDS || THIS_PROJECT.test(question)) return false;
  return (await countOtherWords(reading, context)) > 0;
}
