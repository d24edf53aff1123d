import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { strikeUnresolvedCitations } from '../answer/citations.ts';
import type { ToolContext } from '../tools/tool.ts';
import { answerChanges } from './answer-changes.ts';
import { answerFixes } from './answer-fixes.ts';
import { answerSearch } from './answer-search.ts';
import {
  answerCoChange,
  answerCommit,
  answerDefinition,
  answerExplanation,
  answerHotspots,
  answerReferences,
} from './answer-structure.ts';
import { answerWhen } from './answer-when.ts';
import { answerWho } from './answer-who.ts';
import { answerWhy } from './answer-why.ts';
import { collectContext } from './context.ts';
import { type Intent, parseQuestion, type Question } from './question.ts';

/** A question of a chat. */
export interface ChatQuestion {
  text: string;
  /** Earlier questions of the user, newest first; empty when the history is not to be used. */
  earlier: string[];
}

/** Answer of the repository to a question. */
export interface QuestionAnswer {
  /** Markdown assembled without a model; every citation in it resolves. */
  answer: string;
  /** Context for a model's prompt: passages, commits, and the answer above when it is exact. */
  context: string;
}

type IntentAnswer = (question: Question, context: ToolContext) => Promise<string | null>;

const ANSWERS_BY_INTENT: Record<Intent, IntentAnswer> = {
  commit: answerCommit,
  co_change: answerCoChange,
  hotspots: answerHotspots,
  changes: answerChanges,
  fixes: answerFixes,
  definition: answerDefinition,
  references: answerReferences,
  explanation: answerExplanation,
  who: answerWho,
  when: answerWhen,
  why: answerWhy,
  search: answerSearch,
};

/** Answers from history and structure where they have an exact answer, else with the best passages and commits. */
export async function answerQuestion(
  { text, earlier }: ChatQuestion,
  input: Pick<ToolContext, 'repo' | 'index' | 'queryEmbedding' | 'language' | 'localBranches' | 'signal'> & {
    /** ISO 8601. */
    now: string;
  },
): Promise<QuestionAnswer> {
  const { repo, index, now, signal } = input;
  const sources = openSourceReader(repo, index, signal);
  const deps = { ...input, sources, now: Date.parse(now) / 1000 };
  try {
    const question = parseQuestion(text, index, earlier);
    const exact =
      question.intent === 'search' ? null : await ANSWERS_BY_INTENT[question.intent](question, deps);
    const draft = exact ?? (await answerSearch(question, deps));
    const answer = await strikeUnresolvedCitations(draft, deps);
    return { answer, context: await collectContext(question, exact && answer, deps) };
  } finally {
    sources.close();
  }
}
