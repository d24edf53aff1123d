import type { Model, Usage } from '../models/port.ts';
import type { AnswerContext, ModelAbsence } from './answer-context.ts';
import { checkModelText, type VerdictCache } from './model-text.ts';

/** Context of an answer that a model composes. */
export interface ComposeContext extends AnswerContext {
  model: Model;
  onUsage(usage: Usage): void;
  /** Verdicts on citations and quotes so far. */
  verdicts: VerdictCache;
}

/** Markdown that a model composed, before validation, and the answer that it becomes. */
export interface Draft<Answer> {
  markdown: string;
  toAnswer(validated: string): Answer;
}

/** The steps in which debug and chat answers differ. */
export interface AnswerSteps<Evidence, Answer> {
  /** Collects the evidence of the repository. */
  collect(): Promise<Evidence>;
  /** Assembles the answer from the evidence alone. */
  assemble(evidence: Evidence, absence: ModelAbsence): Answer;
  /** Composes the answer with the model. */
  compose(evidence: Evidence, context: ComposeContext): Promise<Draft<Answer>>;
  /** Answer after a failure of the model; rethrows errors that it cannot recover from. */
  recover(evidence: Evidence, error: unknown, model: Model): Answer;
}

/** Produces an answer: collects evidence, composes with the model or without, validates citations and quotes, emits. */
export async function produceAnswer<Evidence, Answer>(
  steps: AnswerSteps<Evidence, Answer>,
  context: AnswerContext,
): Promise<Answer> {
  context.emit('step', { step: 'retrieving' });
  const evidence = await steps.collect();
  const access = await context.acquireModel();
  if (access.model === null) return steps.assemble(evidence, access.absence);
  const { model, onUsage } = access;
  const verdicts: VerdictCache = new Map();
  try {
    const draft = await steps.compose(evidence, { ...context, model, onUsage, verdicts });
    return draft.toAnswer(await checkModelText(draft.markdown, context, verdicts));
  } catch (error) {
    return steps.recover(evidence, error, model);
  } finally {
    await access.release();
  }
}
