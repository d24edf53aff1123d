import { createHash } from 'node:crypto';

/** Inputs that decide the outcome of a run. */
interface ResultInputs {
  command: string;
  /** Hash of the tree, which commits of equal content share. */
  tree: string;
  patch?: string | null;
  /** Whatever else decides it: the set-up, the failure that counts. */
  setup?: string;
}

/** Key under which a result is kept: SHA-256 of everything that decides it, in hexadecimal. */
export function runResultKey({ command, tree, patch = null, setup = '' }: ResultInputs): string {
  return createHash('sha256')
    .update(JSON.stringify([command, tree, patch, setup]))
    .digest('hex');
}
