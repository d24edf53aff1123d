import type { Hunk } from '#contract/projects.ts';

/** A commit that changed a definition or moved its file. */
export interface TracedChange {
  commit: number;
  path: string;
  /** Lines of the definition before the commit; null when it introduced them. */
  before: string[] | null;
  after: string[];
  hunks: Hunk[];
  /** Path before the commit, where it differs. */
  movedFrom: string | null;
  /** Name before the commit, where it differs. */
  formerName: string | null;
}
