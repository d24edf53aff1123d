import { z } from 'zod';
import type { InvestigateDeps } from '#investigate/investigate.ts';
import { openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import { answerError, type ErrorAnswer } from '../debug/answer-error.ts';
import { defineTool, textInput } from './tool.ts';

const MAX_ERROR = 200_000;

export const investigateError = defineTool('investigate_error', {
  input: z.object({
    error: textInput(MAX_ERROR).describe('The error with its stack trace, as printed'),
    file_path: textInput(1000).optional().describe('The file that was running'),
    code_snippet: textInput(50_000).optional(),
    additional_context: textInput(20_000).optional().describe('Further information'),
  }),
  async execute({ error, ...rest }, { repo, index, queryEmbedding, hunks, sessions = [], now, signal }) {
    const request = { error_message: error, ...rest };
    const deps: InvestigateDeps = {
      repo,
      hunks: openChangeIndexIfUsable(hunks ?? undefined),
      index,
      embedding: queryEmbedding,
      sessions,
      now: new Date(now * 1000).toISOString(),
      signal,
    };
    const answer = await answerError(request, deps, 'en');
    return [answer.solution, ...statedConfidence(answer)].join('\n\n');
  },
});

/** The kind of an error in a sentence. */
const OTHER_KIND: Record<NonNullable<ErrorAnswer['kind']>, string> = {
  regression: 'a defect of the project',
  guard: 'raised on purpose',
  usage: 'a mistake of the caller',
  environment: 'a fault of the environment',
  foreign: 'an error of another project',
  vague: 'unclear',
};

/** Sentences on the probabilities that the answer states. */
function statedConfidence({
  abstained,
  place_confidence: place,
  cause_confidence: cause,
  alternative: other,
}: ErrorAnswer): string[] {
  if (abstained) return ['There is not enough evidence for a conclusion.'];
  const percent = (value: number) => `${Math.round(value * 100)}%`;
  return [
    ...(place == null
      ? []
      : [`Probability that the right file is among the first three places: ${percent(place)}.`]),
    ...(cause == null ? [] : [`Probability that the first suspect is the cause: ${percent(cause)}.`]),
    ...(other == null ? [] : [`Otherwise it is ${OTHER_KIND[other.kind]}: ${percent(other.confidence)}.`]),
  ];
}
