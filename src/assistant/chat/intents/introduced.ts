import { answerText } from '../../answer/answer-text.ts';
import { formatCommit, inlineCode } from '../../answer/markdown.ts';
import { findLineHistory, formatOrigin } from '../../tools/code-origin.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findIntroductions, type Introduction } from '../history/find-introduction.ts';
import { datedSentence, formatBackground, formatCandidates, subjectName } from '../history/format-history.ts';
import { namedTexts } from '../history/history-topic.ts';
import { findMainRange, type MainRange } from '../history/main-range.ts';
import { findRangeChanges } from '../history/range-history.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_COMMITS = 5;
const MIN_SCORE = 0.15;
/** Share of the best score from which another commit is listed as well. */
const CLOSE_SHARE = 0.8;
const MAX_CANDIDATES = 3;
const LAST_CHANGE =
  /\b(?:last|latest|most recent(?:ly)?|newest)\s+(?:time\s+)?(?:chang|modif|touch|edit|updat|commit)|\b(?:changed|modified|touched|edited|updated)\s+(?:last|most recently)\b|(?<!\p{L})(?:último cambio|última (?:vez|modificación)|dernière (?:fois|modification)|dernier changement|zuletzt|letzte Änderung)(?!\p{L})/iu;

/** Dates what a question is about by the first commit that had it, or by its changes where it names a file or definition. */
export async function answerIntroduced(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const isLast = LAST_CHANGE.test(reading.question);
  const range = findMainRange(reading, context);
  const [best, ...others] = isLast && range ? [] : await findIntroductions(reading, context);
  // A text that the history first had in one commit is exact; otherwise the lines of a named range tell.
  if (range && (isLast || !best?.text || best.score < range.score)) {
    const text = await dateChanges(range, isLast, reading, context);
    const key = isLast ? 'last_changed' : 'introduced';
    if (text !== null)
      return { text, evidence: range.score, understood: { key, params: { name: range.name } } };
  }
  if (!best || best.score < MIN_SCORE) return null;
  const name = introducedName(best, reading);
  const close = others.filter(({ score }) => score >= best.score * CLOSE_SHARE).map(({ commit }) => commit);
  const parts = [
    datedSentence('when.added', best.commit, { name }, context),
    ...(await formatBackground(best.commit, reading, context)),
    ...formatCandidates(close.slice(0, MAX_CANDIDATES), context),
  ];
  return {
    text: parts.join('\n\n'),
    evidence: best.score,
    understood: { key: 'introduced', params: { name } },
  };
}

function introducedName({ text, path }: Introduction, reading: Reading): string {
  const own = namedTexts(reading.question).find(({ isCode }) => isCode);
  if (own) return inlineCode(own.text);
  if (text !== null) return inlineCode(text);
  return path === null ? subjectName(reading) : inlineCode(path);
}

async function dateChanges(
  range: MainRange,
  isLast: boolean,
  reading: Reading,
  context: ToolContext,
): Promise<string | null> {
  const { commits, origin } = await findHistory(range, isLast, context);
  const [last, first] = [commits[0], commits.at(-1)];
  if (last === undefined || first === undefined) return null;
  const parts: string[] = [];
  if (isLast) parts.push(datedSentence('who.last_change', last, { name: range.name }, context));
  else {
    parts.push(datedSentence('when.added', first, { name: range.name }, context));
    if (origin !== '') parts.push(origin);
    if (last !== first) parts.push(datedSentence('when.changed', last, {}, context));
  }
  parts.push(
    ...(await formatBackground(isLast ? last : first, reading, context)),
    ...formatBetween(commits, context),
  );
  return parts.join('\n\n');
}

function formatBetween(commits: number[], context: ToolContext): string[] {
  const between = commits.slice(1, -1);
  if (between.length === 0) return [];
  const items = between.slice(0, MAX_COMMITS).map((commit) => `- ${formatCommit(context.index, commit)}`);
  const head =
    between.length > items.length
      ? answerText(context, 'when.between_newest', { shown: items.length, count: between.length })
      : answerText(context, 'when.between');
  return [`${head}\n\n${items.join('\n')}`];
}

/** Commits that changed the range, newest first, and a sentence on the origin of its code. */
async function findHistory({ path, lines, symbol }: MainRange, isLast: boolean, context: ToolContext) {
  if (!lines) {
    return {
      commits: commitsTouching(path, context),
      origin: isLast ? '' : await formatOrigin(path, context),
    };
  }
  if (isLast) {
    const changes = await findRangeChanges({ path, lines }, 1, context);
    return {
      commits: changes.filter(({ isFormatting }) => !isFormatting).map(({ commit }) => commit),
      origin: '',
    };
  }
  const { commits, nameIntroduced } = await findLineHistory({ path, lines, name: symbol }, context);
  if (nameIntroduced === null) return { commits, origin: '' };
  const commit = formatCommit(context.index, nameIntroduced);
  return { commits, origin: answerText(context, 'origin.name', { name: inlineCode(symbol ?? ''), commit }) };
}
