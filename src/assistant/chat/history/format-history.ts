import { isoTime } from '#contract/iso-time.ts';
import { answerText, formatDate } from '../../answer/answer-text.ts';
import { escapeMarkdown, formatCommit, inlineCode } from '../../answer/markdown.ts';
import { quoteMessageBody } from '../../answer/quote-body.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import { topicWords } from '../understand/topic-words.ts';
import { firstRelease } from './first-release.ts';
import { historyTopic } from './history-topic.ts';
import { TopicScorer } from './topic-scorer.ts';

type DatedKey =
  | 'when.added'
  | 'when.changed'
  | 'removed.commit'
  | 'removed.renamed'
  | 'who.last_change'
  | 'who.first_change';

const ISSUE = /(?<![\w&/])#(\d{1,7})\b|\bGH-(\d{1,7})\b|\/(?:issues|pull)\/(\d{1,7})\b/g;
const MAX_ISSUES = 6;
const MAX_TOPIC_WORDS = 8;
const MAX_PATHS = 6;
/** A less certain mention does not name the subject. */
const MIN_SCORE = 0.6;

/** Sentence that dates a commit; the name and other parameters are markdown. */
export function datedSentence(
  key: DatedKey,
  commit: number,
  params: Record<string, string>,
  context: ToolContext,
): string {
  const { index } = context;
  const time = index.commits.time(commit);
  return answerText(context, key, {
    ...params,
    author: escapeMarkdown(index.commits.author(commit)),
    commit: formatCommit(index, commit),
    date: formatDate(time, context) ?? '',
    age: isoTime(time),
  });
}

/** Paragraphs of the message on the question, references to issues and first release of a commit, each a paragraph. */
export async function formatBackground(
  commit: number,
  reading: Reading,
  context: ToolContext,
): Promise<string[]> {
  const message = context.index.commits.message(commit);
  const issues = issuesIn(message);
  const tag = await firstRelease(commit, context);
  return [
    quoteMessageBody(message, { relevanceOf: relevanceTo(reading, context) }),
    issues.length > 0 ? answerText(context, 'origin.references', { issues: issues.join(', ') }) : '',
    tag === null ? '' : answerText(context, 'origin.released', { tag: inlineCode(tag) }),
  ].filter((part) => part !== '');
}

/** Relevance of a paragraph to a question: the share of the question's information in it. */
export function relevanceTo(reading: Reading, context: ToolContext): (paragraph: string) => number {
  const scorer = new TopicScorer(historyTopic(reading), context);
  return (text) => scorer.cover([{ text, strength: 1 }]);
}

/** List of other commits that may be meant. */
export function formatCandidates(commits: number[], context: ToolContext): string[] {
  if (commits.length === 0) return [];
  const items = commits.map((commit) => `- ${formatCommit(context.index, commit)}`);
  return [`${answerText(context, 'origin.candidates')}\n\n${items.join('\n')}`];
}

/** Numbers of issues and pull requests in a message, as `#123`. */
export function issuesIn(message: string): string[] {
  const numbers = Array.from(message.matchAll(ISSUE), (match) => `#${match[1] ?? match[2] ?? match[3]}`);
  return [...new Set(numbers)].slice(0, MAX_ISSUES);
}

/** A few paths as code, with the number of the rest. */
export function formatPaths(paths: string[], context: ToolContext): string {
  const shown = paths.slice(0, MAX_PATHS).map(inlineCode).join(', ');
  const more = paths.length - MAX_PATHS;
  return more > 0 ? `${shown} ${answerText(context, 'and_more', { count: more })}` : shown;
}

/** Markdown that names what a question is about: the best mention, or the words of its topic. */
export function subjectName(reading: Reading): string {
  const [best] = reading.mentions
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score)
    .flatMap((mention) => nameOf(mention) ?? []);
  if (best !== undefined) return best;
  const words = topicWords(historyTopic(reading)).slice(0, MAX_TOPIC_WORDS);
  return `“${escapeMarkdown(words.map(({ word }) => word).join(' '))}”`;
}

function nameOf({ entity }: Mention): string | null {
  if ('path' in entity) return inlineCode(entity.path);
  if (entity.kind === 'symbol' || entity.kind === 'removed_name' || entity.kind === 'dependency')
    return inlineCode(entity.name);
  return null;
}
