import { expect, test } from 'vitest';
import type { Model } from '../models/port.ts';
import type { AnswerContext, ModelAccess } from './answer-context.ts';
import { type AnswerSteps, produceAnswer } from './answer-pipeline.ts';

const MODEL = { name: 'small' } as Model;

/** Context whose model is reserved once, with the record of what happened. */
function contextWith(model: Model | null) {
  const happened: string[] = [];
  const access: ModelAccess = model
    ? { model, onUsage: () => {}, release: async () => void happened.push('released') }
    : { model: null, absence: { kind: 'not_configured' } };
  const context = { emit: () => {}, acquireModel: async () => access } as unknown as AnswerContext;
  return { happened, context };
}

function stepsThat(happened: string[], failing?: 'collect'): AnswerSteps<string, string> {
  return {
    async collect(forModel) {
      happened.push(forModel ? 'collected for a model' : 'collected');
      if (failing === 'collect') throw new Error('no index');
      return 'evidence';
    },
    assemble: (evidence) => `${evidence} alone`,
    async compose() {
      throw new Error('no reply');
    },
    recover: (evidence, _error, { name }) => `${evidence} without ${name}`,
  };
}

test('evidence is collected for a model only where there is one', async () => {
  const alone = contextWith(null);
  expect(await produceAnswer(stepsThat(alone.happened), alone.context)).toBe('evidence alone');
  expect(alone.happened).toEqual(['collected']);

  const { happened, context } = contextWith(MODEL);
  expect(await produceAnswer(stepsThat(happened), context)).toBe('evidence without small');
  expect(happened).toEqual(['collected for a model', 'released']);
});

test('the model is released when the evidence cannot be collected', async () => {
  const { happened, context } = contextWith(MODEL);
  await expect(produceAnswer(stepsThat(happened, 'collect'), context)).rejects.toThrow('no index');
  expect(happened).toEqual(['collected for a model', 'released']);
});
