import { answerText } from '../../answer/answer-text.ts';
import { citeLines } from '../../answer/citations.ts';
import { fencedBlock, formatCommit } from '../../answer/markdown.ts';
import { quoteMessageBody } from '../../answer/quote-body.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { TopicLines } from '../history/find-lines.ts';
import { findReasons, type Reason } from '../history/find-reasons.ts';
import { formatBackground, relevanceTo, subjectName } from '../history/format-history.ts';
import { findMainRange } from '../history/main-range.ts';
import { explainRange } from '../history/range-reasons.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MIN_SCORE = 0.15;
/** Share of the best score from which another commit is quoted as well. */
const CLOSE_SHARE = 0.7;
const MAX_OTHERS = 2;
const MAX_OTHER_BODY = 400;
/** Share of a question's words that only name a file or definition, from which it is about the whole. */
const WHOLE_SHARE = 0.85;

/** Explains a line, condition or decision by the commit that wrote it, or a whole definition by its main commits. */
export async function answerWhy(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const range = findMainRange(reading, context, WHOLE_SHARE);
  if (range) {
    const text = await explainRange(range, reading, context);
    if (text !== null)
      return { text, evidence: range.score, understood: { key: 'why', params: { name: range.name } } };
  }
  const [best, ...others] = await findReasons(reading, context);
  if (!best || best.score < MIN_SCORE) return null;
  const close = others.filter(({ score }) => score >= best.score * CLOSE_SHARE).slice(0, MAX_OTHERS);
  const parts = [
    await quoteReason(best, reading, context),
    ...(close.length > 0 ? [answerText(context, 'origin.candidates')] : []),
    ...close.map(({ commit }) => quoteOther(commit, reading, context)),
  ];
  return {
    text: parts.join('\n\n'),
    evidence: best.score,
    understood: { key: 'why', params: { name: subjectName(reading) } },
  };
}

/** The commit with what its message says on the question, the lines that it wrote, and what they link to. */
async function quoteReason(
  { commit, lines }: Reason,
  reading: Reading,
  context: ToolContext,
): Promise<string> {
  const by = formatCommit(context.index, commit);
  const background = await formatBackground(commit, reading, context);
  if (!lines) return [answerText(context, 'why.message', { commit: by }), ...background].join('\n\n');
  const head = answerText(context, 'why.line', { place: citePlace(lines, context), commit: by });
  return [head, await quoteLines(lines, context), ...background].join('\n\n');
}

function citePlace({ path, from, to }: TopicLines, { index }: ToolContext): string {
  return citeLines({ path, from, to, commit: index.revision }, index.commits);
}

async function quoteLines({ path, from, to }: TopicLines, { sources, index }: ToolContext): Promise<string> {
  const lines = (await sources.lines(path))?.slice(from - 1, to) ?? [];
  const file = index.code?.fileNumber(path) ?? -1;
  return fencedBlock(
    file < 0 ? '' : index.code!.fileLanguage(file),
    lines.map((line) => line.slice(0, 200)).join('\n'),
  );
}

function quoteOther(commit: number, reading: Reading, context: ToolContext): string {
  const { index } = context;
  const options = { maxLength: MAX_OTHER_BODY, relevanceOf: relevanceTo(reading, context) };
  const body = quoteMessageBody(index.commits.message(commit), options);
  const item = `- ${formatCommit(index, commit)}`;
  return body === '' ? item : `${item}\n\n${body}`;
}
