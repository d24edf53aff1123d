import type { ToolContext } from '../../tools/tool.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicCommits } from '../understand/topic-commits.ts';
import { sweepingFactor } from './commit-size.ts';
import { findTopicLines, type TopicLines } from './find-lines.ts';
import { historyTopic } from './history-topic.ts';
import { findLineOrigin } from './line-origin.ts';
import { findRangeChanges } from './range-history.ts';
import { TopicScorer } from './topic-scorer.ts';

/** A commit that explains what a question is about. */
export interface Reason {
  commit: number;
  /** Fit of the commit to the question, 0 to 1. */
  score: number;
  /** Lines of the present code that it wrote; null where only its message fits. */
  lines: TopicLines | null;
}

const MAX_COMMITS = 24;
const MAX_CHANGES = 4;
const MAX_REASONS = 4;
const ADDED_LINE_STRENGTH = 0.85;
/** Weight of the lines that a commit wrote, compared with its message. */
const LINE_SHARE = 0.5;
/** Weight of a commit of which only the message fits. */
const MESSAGE_FACTOR = 0.85;
const MERGE_FACTOR = 0.8;
const ORIGIN_BONUS = 1.08;
/** Weight of a commit that moved a line. */
const MOVE_FACTOR = 0.6;
/** Best lines whose first commit is looked up. */
const MAX_DATED_LINES = 4;

/** Finds the commits that wrote the lines on the topic or speak of it, best first. */
export async function findReasons(reading: Reading, context: ToolContext): Promise<Reason[]> {
  const { index } = context;
  const topic = historyTopic(reading);
  const scorer = new TopicScorer(topic, context);
  const found = new Map<number, Reason>();
  const offer = (reason: Reason) => {
    const known = found.get(reason.commit);
    if (!known || reason.score > known.score) found.set(reason.commit, reason);
  };
  for (const { commit } of findTopicCommits(topic, context, { limit: MAX_COMMITS })) {
    const isMerge = index.commits.parents(commit).length > 1;
    const score = scorer.coverCommit(commit) * (isMerge ? MERGE_FACTOR : 1);
    offer({ commit, score: score * MESSAGE_FACTOR, lines: null });
  }
  const scoreLine = (commit: number, lines: TopicLines, added: string) => {
    const message = scorer.coverCommit(commit, [{ text: added, strength: ADDED_LINE_STRENGTH }]);
    return LINE_SHARE * lines.score + (1 - LINE_SHARE) * message;
  };
  const topicLines = await findTopicLines(reading, topic, scorer, context);
  for (const [at, lines] of topicLines.entries()) {
    const place = { path: lines.path, lines: [lines.from, lines.to] as [number, number] };
    const first = at < MAX_DATED_LINES ? await findLineOrigin(lines, context) : null;
    if (first !== null)
      offer({ commit: first, score: scoreLine(first, lines, lines.text) * ORIGIN_BONUS, lines });
    for (const { commit, isFormatting, added } of await findRangeChanges(place, MAX_CHANGES, context)) {
      if (isFormatting || commit === first) continue;
      // A newer commit with the same line only moved it.
      const isMove = first !== null && commit < first && added.some((line) => line.trim() === lines.text);
      offer({
        commit,
        score: scoreLine(commit, lines, added.join('\n')) * (isMove ? MOVE_FACTOR : 1),
        lines,
      });
    }
  }
  return [...found.values()]
    .map((reason) => ({ ...reason, score: reason.score * sweepingFactor(reason.commit, index) }))
    .toSorted((a, b) => b.score - a.score || a.commit - b.commit)
    .slice(0, MAX_REASONS)
    .map((reason) => ({ ...reason, score: Math.min(1, reason.score) }));
}
