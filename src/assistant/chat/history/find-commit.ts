import type { ToolContext } from '../../tools/tool.ts';
import { entitiesOf } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicCommits } from '../understand/topic-commits.ts';
import { sweepingFactor } from './commit-size.ts';
import { historyTopic } from './history-topic.ts';
import { TopicScorer } from './topic-scorer.ts';

/** A commit that a question asks about. */
interface AskedCommit {
  commit: number;
  score: number;
}

const MAX_TOPIC_COMMITS = 300;
const MAX_COMMITS = 4;
const CLOSING =
  /\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|implement(?:s|ed)?)\b:?\s*(?:issue\s*)?(?:[\w./-]*)(?:#|gh-|\/issues\/|\/pull\/)/i;
const MERGE_FACTOR = 0.85;
const SUBJECT_SCORE = 1;
const CLOSING_SCORE = 0.95;
const MENTION_SCORE = 0.8;
const MIN_SCORE = 0.3;

/** Finds the commits that a question names by hash, by an issue number, or by its author, time and words; best first. */
export function findAskedCommits(reading: Reading, context: ToolContext): AskedCommit[] {
  const named = entitiesOf(reading.mentions, 'commit').map(({ commit }) => ({ commit, score: 1 }));
  if (named.length > 0) return named;
  const issues = entitiesOf(reading.mentions, 'issue');
  if (issues.length > 0) return rankIssueCommits(issues, reading, context);
  return rankTopicCommits(reading, context);
}

/** The commit that closes an issue or merged a pull request before those that only mention it. */
function rankIssueCommits(
  issues: { number: number; commits: number[] }[],
  reading: Reading,
  context: ToolContext,
): AskedCommit[] {
  const { commits } = context.index;
  const scorer = new TopicScorer(historyTopic(reading), context);
  return issues
    .flatMap(({ number, commits: found }) =>
      found.map((commit) => {
        const isMerge = commits.parents(commit).length > 1;
        const base = issueScore(number, commits.subject(commit), commits.message(commit));
        const fit = scorer.coverCommit(commit);
        return { commit, score: base * (0.8 + 0.2 * fit) * (isMerge ? MERGE_FACTOR : 1) };
      }),
    )
    .sort((a, b) => b.score - a.score || b.commit - a.commit)
    .slice(0, MAX_COMMITS);
}

function issueScore(number: number, subject: string, message: string): number {
  const reference = `(?:#|gh-|/issues/|/pull/)${number}\\b`;
  if (new RegExp(reference, 'i').test(subject)) return SUBJECT_SCORE;
  if (new RegExp(`${CLOSING.source}?${number}\\b|${CLOSING.source}${number}\\b`, 'i').test(message))
    return CLOSING_SCORE;
  return MENTION_SCORE;
}

/** Commits of the named people and time whose message and paths fit the other words. */
function rankTopicCommits(reading: Reading, context: ToolContext): AskedCommit[] {
  const { commits } = context.index;
  const people = entitiesOf(reading.mentions, 'person');
  const [range] = entitiesOf(reading.mentions, 'range');
  const spans = reading.mentions
    .filter(({ entity }) => entity.kind === 'person' || entity.kind === 'range' || entity.kind === 'version')
    .map(({ span }) => span);
  const rest = { ...reading, question: blank(reading.question, spans) };
  const topic = historyTopic(rest);
  const isAccepted = (commit: number) =>
    (people.length === 0 || people.some((person) => isBy(commit, person, context))) &&
    (!range || (commits.time(commit) >= range.from.time && commits.time(commit) <= range.to.time));
  const scorer = new TopicScorer(topic, context);
  const isFiltered = people.length > 0 || range !== undefined;
  return findTopicCommits(topic, context, { accepts: isAccepted, limit: isFiltered ? MAX_TOPIC_COMMITS : 24 })
    .map(({ commit }) => ({
      commit,
      score: scorer.coverCommit(commit) * sweepingFactor(commit, context.index),
    }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score || a.commit - b.commit)
    .slice(0, MAX_COMMITS);
}

function isBy(
  commit: number,
  { name, emails }: { name: string; emails: string[] },
  { index }: ToolContext,
): boolean {
  const { commits } = index;
  return commits.author(commit) === name || emails.includes(commits.email(commit).toLowerCase());
}

/** The text with some ranges replaced by spaces, so that the others keep their places. */
function blank(text: string, spans: [number, number][]): string {
  let result = text;
  for (const [from, to] of spans) result = result.slice(0, from) + ' '.repeat(to - from) + result.slice(to);
  return result;
}
