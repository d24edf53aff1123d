import { z } from 'zod';
import { openUsableHunks } from '#memory/hunks/open.ts';
import { answerError } from '../answer.ts';
import { defineTool, words } from './tool.ts';

const MAX_ERROR = 200_000;

export const investigateError = defineTool('investigate_error', {
  input: z.object({
    error: words(MAX_ERROR).describe('The error with its stack trace, as printed'),
    file_path: words(1000).optional().describe('The file that was running'),
    code_snippet: words(50_000).optional(),
    additional_context: words(20_000).optional().describe('What else is known'),
  }),
  async execute({ error, ...rest }, { repo, memory, meaning, hunks, sessions = [], now, signal }) {
    const request = { error_message: error, ...rest };
    const answer = await answerError(request, {
      repo,
      hunks: openUsableHunks(hunks ?? undefined),
      memory,
      meaning,
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
