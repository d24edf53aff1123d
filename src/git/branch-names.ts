import { isRefName } from './run.ts';

/** With `refs/heads/` before it, the name of a ref is one that `isRefName` takes. */
const MAX_NAME_BYTES = 200;
const OBJECT_NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Prefix of working branches. */
export const WORKING_BRANCH_PREFIX = 'hindsight/';

/** True for a valid branch name that no file system or later command can confuse with something else. */
export function isBranchName(name: string): boolean {
  return (
    isRefName(name) &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES &&
    !['HEAD', '@'].includes(name) &&
    !OBJECT_NAME.test(name)
  );
}
