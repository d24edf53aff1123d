import { z } from 'zod';
import { describeCommit } from './describe-commit.ts';
import { requireCommit } from './resolve-revision.ts';
import { defineTool, revisionInput } from './tool.ts';

export const showCommitTool = defineTool('show_commit', {
  input: z.object({ commit: revisionInput }),
  async execute({ commit }, context) {
    return await describeCommit(await requireCommit(commit, context), context);
  },
});
