import { z } from 'zod';
import { sayCommit } from './commit-story.ts';
import { rememberedCommit } from './revisions.ts';
import { defineTool, revision } from './tool.ts';

export const showCommitTool = defineTool('show_commit', {
  input: z.object({ commit: revision }),
  async execute({ commit }, context) {
    return await sayCommit(await rememberedCommit(commit, context), context);
  },
});
