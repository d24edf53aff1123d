import { answerText, formatDate } from '../answer/answer-text.ts';
import { inlineCode } from '../answer/markdown.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { Candidate, Choice } from './choose.ts';
import { collectMatches } from './intents/search.ts';
import type { Intent, Reading } from './understand/reading.ts';
import { firstCommitTime, type UnknownNames } from './understand/unknown-names.ts';
import { closestVersions, listVersionTags } from './understand/version-tags.ts';

const MAX_UNKNOWN_NAMES = 3;

/** Formats a decision: the answers with how the question was understood, or what is known when none is certain. */
export async function formatChoice(
  choice: Choice,
  readings: readonly Reading[],
  context: ToolContext,
): Promise<string> {
  if (choice.isCertain) return formatAnswers(choice, context);
  return choice.isTentative
    ? await formatTentative(choice, context)
    : await formatUnsure(choice, readings, context);
}

/** Intents whose answers name commits or people, which the places of a question do not. */
const INTENTS_OF_HISTORY = new Set<Intent>([
  ...(['who', 'introduced', 'removed', 'why', 'attempts', 'changes', 'co_change', 'commit'] as const),
  ...(['earlier_fixes', 'fixed_in_range', 'hotspots'] as const),
]);

/** Probability of an answer from which it comes before the best places for the question. */
const MIN_LEADING = 0.7;

/**
 * An answer that is not certain, with the share of such answers that are right, and the best places for the question: before a less
 * likely answer about code or documents, else after it.
 */
async function formatTentative({ best, confidence }: Choice, context: ToolContext): Promise<string> {
  const candidate = best[0]!;
  const { reading, answer } = candidate;
  const { text: places } = await collectMatches(reading, context);
  const answered = [`**${formatUnderstood(candidate, context)}**`, answer.text];
  const isLeading = confidence >= MIN_LEADING || INTENTS_OF_HISTORY.has(reading.intent);
  const parts = isLeading ? [...answered, places] : [places, ...answered];
  const isPlaces = answer.text === places;
  return [
    answerText(context, 'unsure.tentative', { tenths: Math.floor(10 * confidence) }),
    ...(isPlaces ? [places] : parts.filter((part) => part !== '')),
    answerText(context, 'unsure.how'),
  ].join('\n\n');
}

function formatAnswers({ best }: Choice, context: ToolContext): string {
  const [first, second] = best;
  const understood = (candidate: Candidate) => formatUnderstood(candidate, context);
  const answers = second
    ? best.map((candidate) => `**${understood(candidate)}**\n\n${candidate.answer.text}`)
    : [first!.answer.text, `*${answerText(context, 'understood_as', { reading: understood(first!) })}*`];
  return answers.join('\n\n');
}

/** The reading as a phrase; the whole project is named as within a sentence. */
function formatUnderstood({ answer: { understood } }: Candidate, context: ToolContext): string {
  const { key, params } = understood;
  const isProject = params.name === answerText(context, 'changes.project');
  const name = answerText(context, 'understood.the_project');
  return answerText(context, `understood.${key}`, isProject ? { ...params, name } : params);
}

/** The names that are nowhere, the best places and commits, and how to ask. */
async function formatUnsure(
  { unknown }: Choice,
  readings: readonly Reading[],
  context: ToolContext,
): Promise<string> {
  const how = answerText(context, 'unsure.how');
  if (unknown.asksOutside)
    return [answerText(context, 'unsure.head'), answerText(context, 'unsure.outside'), how].join('\n\n');
  const { text: places } = await collectMatches(readings[0]!, context);
  const notFound = await formatUnknown(unknown, context);
  if (places === '') return [answerText(context, 'search.nothing'), ...notFound].join('\n\n');
  return [answerText(context, 'unsure.head'), ...notFound, places, how].join('\n\n');
}

/** Sentences that say what was not found: versions with the closest ones, commits, issues, people, names, or else words. */
async function formatUnknown(
  { versions, periods, commits, issues, people, names, properNames, foreignWords }: UnknownNames,
  context: ToolContext,
): Promise<string[]> {
  const list = new Intl.ListFormat(context.language ?? 'en', { type: 'conjunction' });
  const format = (items: readonly string[]) => list.format(items.map(inlineCode));
  const others = [...names, ...properNames.filter((name) => !people.some((one) => one.includes(name)))];
  const references = [...versions, ...periods, ...commits, ...issues, ...people];
  const shown = others.length > 0 || references.length > 0 ? others : foreignWords;
  const sentences: string[] = [];
  if (versions.length > 0) {
    const closest = closestVersions(versions[0]!, await listVersionTags(context));
    const key = closest.length > 0 ? 'unsure.version_closest' : 'unsure.version';
    const params = { names: format(versions), closest: format(closest.map(({ tag }) => tag)) };
    sentences.push(answerText(context, key, params));
  }
  if (periods.length > 0) {
    const date = formatDate(firstCommitTime(context.index.commits), context) ?? '';
    sentences.push(answerText(context, 'unsure.period', { names: list.format(periods), date }));
  }
  if (commits.length > 0) sentences.push(answerText(context, 'unsure.commit', { names: format(commits) }));
  if (issues.length > 0) sentences.push(answerText(context, 'unsure.issue', { names: format(issues) }));
  if (people.length > 0) sentences.push(answerText(context, 'unsure.person', { names: format(people) }));
  if (shown.length > 0)
    sentences.push(
      answerText(context, 'unsure.unknown', { names: format(shown.slice(0, MAX_UNKNOWN_NAMES)) }),
    );
  return sentences;
}
