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
  /** Collects the evidence of the repository; `forModel` says that a model will read it. */
  collect(forModel: boolean): Promise<Evidence>;
  /** Assembles the answer from the evidence alone. */
  assemble(evidence: Evidence, absence: ModelAbsence): Answer;
  /** Composes the answer with the model. */
  compose(evidence: Evidence, context: ComposeContext): Promise<Draft<Answer>>;
  /** Answer after a failure of the model; rethrows errors that it cannot recover from. */
  recover(evidence: Evidence, error: unknown, model: Model): Answer;
}

/**
 * Produces an answer: reserves the model, collects evidence, composes with the model or without, validates citations and
 * quotes, emits.
 */
export async function produceAnswer<Evidence, Answer>(
  steps: AnswerSteps<Evidence, Answer>,
  context: AnswerContext,
): Promise<Answer> {
  context.emit('step', { step: 'retrieving' });
  const access = await context.acquireModel();
  if (access.model === null) return steps.assemble(await steps.collect(false), access.absence);
  const { model, onUsage } = access;
  try {
    const evidence = await steps.collect(true);
    return await composeAnswer(steps, evidence, { ...context, model, onUsage, verdicts: new Map() });
  } finally {
    await access.release();
  }
}

async function composeAnswer<Evidence, Answer>(
  steps: AnswerSteps<Evidence, Answer>,
  evidence: Evidence,
  context: ComposeContext,
): Promise<Answer> {
  try {
    const draft = await steps.compose(evidence, context);
    return draft.toAnswer(await checkModelText(draft.markdown, context, context.verdicts));
  } catch (error) {
    return steps.recover(evidence, error, context.model);
  }
}
