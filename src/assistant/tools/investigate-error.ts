import { z } from 'zod';
import { openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import { answerError } from '../debug/answer-error.ts';
import { defineTool, textInput } from './tool.ts';

const MAX_ERROR = 200_000;

export const investigateError = defineTool('investigate_error', {
  input: z.object({
    error: textInput(MAX_ERROR).describe('The error with its stack trace, as printed'),
    file_path: textInput(1000).optional().describe('The file that was running'),
    code_snippet: textInput(50_000).optional(),
    additional_context: textInput(20_000).optional().describe('What else is known'),
  }),
  async execute({ error, ...rest }, { repo, memory, meaning, hunks, sessions = [], now, signal }) {
    const request = { error_message: error, ...rest };
    const answer = await answerError(request, {
      repo,
      hunks: openChangeIndexIfUsable(hunks ?? undefined),
      memory,
      embedding: meaning,
      sessions,
      now: new Date(now * 1000).toISOString(),
      signal,
    });
    const sure = answer.abstained
      ? 'The evidence is thin.'
      : `Probability that the first place is right: ${Math.round(answer.confidence * 100)} %.`;
    return `${answer.solution}\n\n${sure}`;
  },
});
