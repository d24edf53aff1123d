import type { OfferedReading } from '#contract/chat.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { strikeUnresolvedCitations } from '../answer/citations.ts';
import { citeFrom } from '../answer/issue-record.ts';
import type { ToolContext } from '../tools/tool.ts';
import { chooseAnswers } from './choose.ts';
import { collectContext } from './context.ts';
import { formatChoice } from './format-choice.ts';
import { offerReadings } from './offer-readings.ts';
import { addIssues, listNamedIssues } from './related-issues.ts';
import type { Intent } from './understand/reading.ts';
import { readQuestion } from './understand/readings.ts';

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
  /** Context for a model's prompt: passages, commits, and the answer above when it is exact; empty without a model. */
  context: string;
  /** True when the repository does not answer the question, as far as is known. */
  abstained: boolean;
  /** Other readings of the question. */
  readings: OfferedReading[];
}

/** Questions about reasons and faults, which issues tell. */
const RELATED_INTENTS: ReadonlySet<Intent> = new Set([
  'why',
  'explanation',
  'commit',
  'earlier_fixes',
  'attempts',
  'search',
]);

/** Answers from history and structure where they have an exact answer, else with the best passages and commits. */
export async function answerQuestion(
  { text, earlier }: ChatQuestion,
  input: Pick<
    ToolContext,
    'repo' | 'index' | 'hunks' | 'queryEmbedding' | 'issues' | 'language' | 'localBranches' | 'signal'
  > & {
    /** ISO 8601. */
    now: string;
    /** True to collect the context for a model. */
    forModel?: boolean;
  },
): Promise<QuestionAnswer> {
  const { repo, index, now, forModel = false, signal } = input;
  const sources = openSourceReader(repo, index, signal);
  const deps = { ...input, sources, now: Date.parse(now) / 1000 };
  try {
    const readings = await readQuestion(text, earlier, deps);
    const choice = await chooseAnswers(readings, deps);
    const composed = await formatChoice(choice, readings, deps);
    const { issues } = input;
    const source = { repo, index, ...(issues && { citableIssues: citeFrom(issues) }) };
    const [best] = choice.best;
    const named = listNamedIssues(text, issues);
    // A question that names an issue asks about it where nothing else is certain.
    const isVague = !choice.isCertain || best?.reading.intent === 'overview';
    const answered = named.length > 0 && isVague ? '' : composed;
    const related = named.length === 0 && RELATED_INTENTS.has(best?.reading.intent ?? 'search') ? issues : [];
    const answer = await strikeUnresolvedCitations(addIssues(answered, { named, related }, deps), source);
    const isExact = choice.isCertain && best?.reading.intent !== 'search';
    const context = forModel
      ? await collectContext(best?.reading ?? readings[0]!, isExact ? answer : null, deps)
      : '';
    const offered = offerReadings(choice, readings, text, deps);
    return { answer, context, abstained: !choice.isCertain && named.length === 0, readings: offered };
  } finally {
    sources.close();
  }
}
