import { findRevert } from '#evolution/fix-outcomes.ts';
import { revertedCommits } from '#evolution/fixes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown, formatCommit } from '../../answer/markdown.ts';
import { quoteMessageBody } from '../../answer/quote-body.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { rankByInformation } from '../changes/commit-relevance.ts';
import { historyTopic } from '../history/history-topic.ts';
import { findUndoneCommit } from '../history/undone-commit.ts';
import type { Reading } from '../understand/reading.ts';
import type { AnswerIntent, IntentAnswer } from './intent.ts';

const MAX_STARTS = 8;
const MAX_SHOWN = 8;
const MIN_CERTAINTY = 0.4;
/** Commits further below the best one are about something else. */
const MIN_SHARE_OF_BEST = 0.75;
const UNDOING =
  /\b(?:revert(?:s|ed|ing)?|back(?:s|ed|ing)? out|undo(?:es|ne|ing)?|roll(?:s|ed|ing)? back|disabl(?:e[sd]?|ing)|remov(?:e[sd]?|ing)|drop(?:s|ped|ping)?)\b/i;
const REDOING = /\b(?:reapply|re-?land|re-?introduc\w*|re-?enabl\w*|restore[sd]?|bring back|again)\b/i;
const QUOTED_SUBJECT = /^(?:Revert|Reapply|Reland|Re-apply)\s*:?\s+["“'](.+?)["”']?(?:\s*\(#\d+\))?$/i;
/** Words of the question about an attempt, which are in the subject of every revert. */
const ASKING =
  /\b(?:tr(?:y|ies|ied|ying)|attempt(?:s|ed|ing)?|before|ever|already|somebody|someone|anyone|anybody|one|happen(?:ed|s)?|outcome|destiny|fate|revert(?:ed|s)?|undone|undo|backed|out|still|back|what|became|become|project|end(?:ed)?|result|intent\w*|prob\w*|essay\w*|tent\w*|versuch\w*|schon|einmal|zurück\w*|rückgängig)\b/giu;

type Step = 'tried' | 'undone' | 'redone';

/** Lists earlier attempts at a topic in their order: commits, their reverts and later attempts. */
export const answerAttempts: AnswerIntent = async (reading, context) => {
  const { index } = context;
  const topic = topicOf(reading);
  const ranked = rankByInformation(topic, context, { limit: MAX_STARTS * 2 });
  const [first] = ranked;
  if (!first || first.certainty < MIN_CERTAINTY) return null;
  const starts = ranked.filter(({ score }) => score >= first.score * MIN_SHARE_OF_BEST).slice(0, MAX_STARTS);
  const known = findChain(
    starts.map(({ commit }) => commit),
    index,
  );
  const chain = await addUndoneCommit(known, first.commit, context);
  const steps = chain.map((commit) => ({ commit, step: stepOf(commit, index) }));
  const undone = steps.filter(({ step }) => step === 'undone');
  const shown = steps.length > MAX_SHOWN ? prefer(steps, undone) : steps;
  const items = shown.map(({ commit, step }) => {
    const body = step === 'tried' ? '' : quoteMessageBody(index.commits.message(commit));
    const item = `- ${answerText(context, `attempts.${step}`, { commit: formatCommit(index, commit) })}`;
    return body === '' ? item : `${item}\n\n${indent(body)}`;
  });
  const last = steps.at(-1)!;
  const state = answerText(context, `attempts.state.${last.step}`, {
    commit: formatCommit(index, last.commit),
  });
  const answer: IntentAnswer = {
    text: [answerText(context, 'attempts.title', { count: steps.length }), items.join('\n'), state].join(
      '\n\n',
    ),
    // An attempt that was undone is what such a question looks for.
    evidence: Math.min(0.95, first.certainty * (undone.length > 0 ? 1.15 : 0.75)),
    understood: { key: 'attempts', params: { topic: escapeMarkdown(topic) } },
  };
  return answer;
};

function topicOf(reading: Reading): string {
  const topic = historyTopic(reading).replace(ASKING, ' ').replace(/\s+/g, ' ').trim();
  return /\p{L}{3}/u.test(topic) ? topic : reading.topic;
}

/** The commits, what reverts them, what they revert, and commits with the same subject; oldest first. */
function findChain(starts: readonly number[], index: RepositoryIndex): number[] {
  const { commits } = index;
  const found = new Set(starts);
  for (const commit of starts) {
    const revert = findRevert(index, commit);
    if (revert >= 0) found.add(revert);
    for (const hash of revertedCommits(commits.message(commit))) {
      const original = commits.find(hash.slice(0, 40));
      if (original >= 0) found.add(original);
    }
    for (const same of findSameSubject(commit, index)) found.add(same);
  }
  return [...found].filter((commit) => commits.parents(commit).length < 2).sort((a, b) => b - a);
}

/** Adds the commit that wrote most of what the best commit removed, where that one undoes something unnamed. */
async function addUndoneCommit(chain: number[], best: number, context: ToolContext): Promise<number[]> {
  const { index } = context;
  const undoing = [best, ...chain].find((commit) => stepOf(commit, index) === 'undone');
  if (undoing === undefined || revertedCommits(index.commits.message(undoing)).length > 0) return chain;
  const undone = await findUndoneCommit(undoing, context);
  return undone === null || chain.includes(undone) ? chain : [...chain, undone].sort((a, b) => b - a);
}

/** Commits whose subject is the same but for `Revert "…"` and a number. */
function findSameSubject(commit: number, { commits }: RepositoryIndex): number[] {
  const subject = plainSubject(commits.subject(commit));
  const words = subject.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const rarest = words
    .map((word) => commits.messages.postings(word)?.docs)
    .filter((docs) => docs !== undefined)
    .toSorted((a, b) => a.length - b.length)[0];
  if (!rarest || rarest.length > 2_000) return [];
  return Array.from(rarest).filter((other) => plainSubject(commits.subject(other)) === subject);
}

function plainSubject(subject: string): string {
  const plain = subject.replace(/\s*\(#\d+\)\s*$/, '');
  const quoted = QUOTED_SUBJECT.exec(plain)?.[1];
  return (quoted ? plainSubject(quoted) : plain).trim().toLowerCase();
}

function stepOf(commit: number, { commits }: RepositoryIndex): Step {
  const subject = commits.subject(commit);
  if (/^re-?(?:apply|land)/i.test(subject) || (REDOING.test(subject) && !UNDOING.test(subject)))
    return 'redone';
  return UNDOING.test(subject) || revertedCommits(commits.message(commit)).length > 0 ? 'undone' : 'tried';
}

/** Undone steps and the newest others, in their order. */
function prefer<T extends { step: Step }>(steps: T[], undone: T[]): T[] {
  const others = steps.filter(({ step }) => step !== 'undone');
  const kept = new Set([
    ...undone.slice(-MAX_SHOWN / 2),
    ...others.slice(-(MAX_SHOWN - Math.min(undone.length, MAX_SHOWN / 2))),
  ]);
  return steps.filter((step) => kept.has(step));
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
