import { openSourceText } from '#investigate/source-text.ts';
import { strikeUnresolved } from '../citations.ts';
import type { ToolContext } from '../tools/tool.ts';
import { answerChanged } from './answers/changed.ts';
import { answerFixed } from './answers/fixed.ts';
import { answerFound } from './answers/found.ts';
import {
  answerCommit,
  answerDefined,
  answerExplained,
  answerHotspots,
  answerTogether,
  answerUsed,
} from './answers/structure.ts';
import { answerWhen } from './answers/when.ts';
import { answerWho } from './answers/who.ts';
import { answerWhy } from './answers/why.ts';
import { gatherContext } from './context.ts';
import { type Intent, type Question, readQuestion } from './question.ts';

/** A question of a chat. */
export interface ChatQuestion {
  text: string;
  /** The reader's earlier questions, newest first; empty when the chat's history is not to be used. */
  earlier: string[];
}

/** What the repository says to a question. */
export interface Consultation {
  /** Markdown, written without a model; every citation in it resolves. */
  answer: string;
  /** What a model is given to write from: passages, commits, and the answer above where it is exact. */
  context: string;
}

type Answerer = (question: Question, deps: ToolContext) => Promise<string | null>;

const ANSWERERS: Record<Intent, Answerer> = {
  commit: answerCommit,
  together: answerTogether,
  hotspots: answerHotspots,
  changed: answerChanged,
  fixed: answerFixed,
  defined: answerDefined,
  used: answerUsed,
  explained: answerExplained,
  who: answerWho,
  when: answerWhen,
  why: answerWhy,
  find: answerFound,
};

/** Asks the repository: what history and structure answer exactly, else the best passages with their commits. */
export async function consult(
  { text, earlier }: ChatQuestion,
  given: Pick<ToolContext, 'repo' | 'memory' | 'meaning' | 'signal'> & { now: string },
): Promise<Consultation> {
  const { repo, memory, now, signal } = given;
  const sources = openSourceText(repo, memory, signal);
  const deps = { ...given, sources, now: Date.parse(now) / 1000 };
  try {
    const question = readQuestion(text, memory, earlier);
    const exact = question.intent === 'find' ? null : await ANSWERERS[question.intent](question, deps);
    const written = exact ?? (await answerFound(question, deps));
    const answer = await strikeUnresolved(written, deps);
    return { answer, context: await gatherContext(question, exact && answer, deps) };
  } finally {
    sources.close();
  }
}
