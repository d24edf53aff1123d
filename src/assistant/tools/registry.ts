import { AppError } from '#contract/errors.ts';
import { blameLines } from './blame-lines.ts';
import { coChanged } from './co-changed.ts';
import { compareRevisions } from './compare-revisions.ts';
import { describeFile } from './describe-file.ts';
import { fileHistory } from './file-history.ts';
import { findSymbol } from './find-symbol.ts';
import { functionHistory } from './function-history.ts';
import { hotspotsTool } from './hotspots.ts';
import { impactTool } from './impact.ts';
import { investigateError } from './investigate-error.ts';
import { issuesTool } from './issues.ts';
import { listTreeTool } from './list-tree.ts';
import { readFileTool } from './read-file.ts';
import { searchChanges } from './search-changes.ts';
import { searchCode } from './search-code.ts';
import { searchCommits } from './search-commits.ts';
import { showCommitTool } from './show-commit.ts';
import { similarFixes } from './similar-fixes.ts';
import type { Tool } from './tool.ts';

/** All tools, in display order. */
export const TOOLS: readonly Tool[] = [
  searchCode,
  searchCommits,
  searchChanges,
  readFileTool,
  listTreeTool,
  describeFile,
  findSymbol,
  blameLines,
  fileHistory,
  functionHistory,
  showCommitTool,
  compareRevisions,
  hotspotsTool,
  coChanged,
  impactTool,
  similarFixes,
  issuesTool,
  investigateError,
];

/** Finds a tool by name. Throws `not_found`. */
export function requireTool(name: string): Tool {
  const found = TOOLS.find((tool) => tool.name === name);
  if (!found)
    throw new AppError('not_found', 'tool_not_found', {
      params: { name: JSON.stringify(name.slice(0, 100)) },
    });
  return found;
}
