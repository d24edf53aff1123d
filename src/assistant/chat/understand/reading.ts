import type { Mention } from './entities.ts';

/** Kinds of questions. `search` is every other one. */
export const INTENTS = [
  'definition',
  'callers',
  'explanation',
  'who',
  'introduced',
  'removed',
  'why',
  'commit',
  'changes',
  'fixed_in_range',
  'co_change',
  'hotspots',
  'earlier_fixes',
  'attempts',
  'tests',
  'feature_files',
  'dependency_use',
  'configuration',
  'how_to',
  'overview',
  'search',
] as const;

export type Intent = (typeof INTENTS)[number];

/** A question understood in one way. */
export interface Reading {
  intent: Intent;
  mentions: Mention[];
  /** Words of the question that are neither cues nor part of a mention, for ranking. */
  topic: string;
  /** The question, with the earlier one that it follows up. */
  question: string;
  /** Likelihood by the cues and the kinds of mentions, 0 to 1. */
  prior: number;
}
