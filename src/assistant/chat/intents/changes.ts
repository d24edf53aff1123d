import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown, formatCommit } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findChangelogSection, findNewestSection, quoteSection } from '../changes/changelog.ts';
import { isVersionCommit } from '../changes/commit-kind.ts';
import { listByKind, listItems } from '../changes/commit-list.ts';
import { rankByInformation } from '../changes/commit-relevance.ts';
import { formatEnd, type SelectedCommits, selectCommits } from '../changes/selected-commits.ts';
import { countOtherWords } from '../evidence/other-topic.ts';
import { historyTopic } from '../history/history-topic.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicCommits } from '../understand/topic-commits.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_COMMITS = 12;
/** Lists of more commits are grouped by kind. */
const MIN_GROUPED = 6;
/** Probability from which a question without a time, place, person or topic asks for the newest commits. */
const MIN_PRIOR_OF_NEWEST = 0.5;
/** Commits of a range that fit the words of the question are shown first from this score on. */
const MIN_TOPIC_SCORE = 0.5;
const MIN_CERTAINTY = 0.35;
const MAX_TOPIC_COMMITS = 6;

/** Lists the changes that a question selects by time, version, place and person; without a time, the newest. */
export async function answerChanges(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const selected = await selectCommits(reading, context);
  const { commits, hasPlace, person } = selected;
  const from = formatEnd(selected.from);
  const isBounded = selected.from !== null;
  // The newest commits of the whole project answer no question about something.
  const asksForNewest =
    reading.prior >= MIN_PRIOR_OF_NEWEST && (await countOtherWords(reading, context)) === 0;
  const evidence = isBounded || person !== null ? 0.9 : hasPlace || asksForNewest ? 0.8 : 0.35;
  const understood = describe(selected);
  if (commits.length === 0) {
    if (!isBounded || from === null) return null;
    const last = await newestCommit(reading, context);
    if (last === null) return null;
    const params = { name: selected.name, since: from, commit: formatCommit(context.index, last) };
    return { text: answerText(context, 'changes.none', params), evidence: 0.6, understood };
  }
  const onTopic = isBounded ? topicCommits(reading, commits, context) : [];
  const others = commits.filter((commit) => !onTopic.includes(commit));
  const section =
    (selected.to?.oid ? await findChangelogSection(selected.to.label, context) : null) ??
    (hasPlace ? null : await findNewestSection(reading.question, context));
  const parts = [
    heading(selected, context),
    ...(onTopic.length > 0 ? [listItems(onTopic, onTopic.length, context).join('\n')] : []),
    ...(section ? [quoteSection(section, context)] : []),
    isBounded && others.length > MIN_GROUPED
      ? listByKind(others, context)
      : listItems(others.slice(0, MAX_COMMITS), others.length, context).join('\n'),
  ];
  return { text: parts.filter((part) => part !== '').join('\n\n'), evidence, understood };
}

function heading({ name, commits, person, from, to }: SelectedCommits, context: ToolContext): string {
  const { index } = context;
  const authors = new Set(commits.map((commit) => index.commits.author(commit))).size;
  const params = {
    name,
    commits: answerText(context, 'commits', { count: commits.length }),
    people: person === null ? answerText(context, 'people', { count: authors }) : escapeMarkdown(person),
  };
  const [start, end] = [formatEnd(from), formatEnd(to)];
  const isOpen = to === null || to.oid === index.revision;
  if (start !== null && end !== null && !isOpen)
    return answerText(context, 'changes.between', { ...params, from: start, to: end });
  if (start !== null) return answerText(context, 'changes.since', { ...params, since: start });
  if (end !== null && !isOpen) return answerText(context, 'changes.until', { ...params, until: end });
  return answerText(context, 'changes.all', params);
}

function describe({ name, from, to }: SelectedCommits): IntentAnswer['understood'] {
  const [start, end] = [formatEnd(from), formatEnd(to)];
  if (start !== null && end !== null && to?.label !== 'HEAD')
    return { key: 'changes_between', params: { name, from: start, to: end } };
  return start === null
    ? { key: 'changes', params: { name } }
    : { key: 'changes_since', params: { name, since: start } };
}

function topicCommits(reading: Reading, commits: readonly number[], context: ToolContext): number[] {
  const inRange = new Set(commits.filter((commit) => !isVersionCommit(context.index, commit)));
  const accepts = (commit: number) => inRange.has(commit);
  const topic = historyTopic(reading);
  const fitting = findTopicCommits(topic, context, { accepts, limit: MAX_TOPIC_COMMITS })
    .filter(({ score }) => score >= MIN_TOPIC_SCORE)
    .map(({ commit }) => commit);
  const informative = rankByInformation(topic, context, { accepts, limit: MAX_TOPIC_COMMITS })
    .filter(({ certainty }) => certainty >= MIN_CERTAINTY)
    .map(({ commit }) => commit);
  return [...new Set([...fitting, ...informative])].slice(0, MAX_TOPIC_COMMITS);
}

/** Newest commit of the place, whatever the time. */
async function newestCommit(reading: Reading, context: ToolContext): Promise<number | null> {
  const mentions = reading.mentions.filter(
    ({ entity }) => entity.kind !== 'range' && entity.kind !== 'version',
  );
  const { commits } = await selectCommits({ ...reading, question: '', mentions }, context);
  return commits[0] ?? null;
}
