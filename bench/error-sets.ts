import { readFileSync } from 'node:fs';
import type { ErrorKind } from '../src/contract/debug.ts';

/** Kinds of errors as a maintainer labels them. */
type LabelledKind = 'usage' | 'guard' | 'regression' | 'environment' | 'foreign' | 'vague';

/** A line of `bench/errors/NAME.jsonl`: real output of a program, with what a maintainer would answer. */
export interface LabelledError {
  id: string;
  /** `owner/name`. */
  repository: string;
  revision: string;
  kind: LabelledKind;
  error_message: string;
  additional_context?: string;
  expect: {
    declined?: boolean;
    files: string[];
    /** `path:line` of the statement that raises the error on purpose. */
    raise?: string;
    function?: string;
    /** Full hash of the commit that caused it; null or absent where none is known. */
    culprit?: string | null;
    fix?: string;
  };
}

/** Kinds of an answer that suit a label; the first is the exact one. */
export const EXPECTED_KINDS: Record<LabelledKind, readonly ErrorKind[]> = {
  usage: ['usage', 'guard'],
  guard: ['guard'],
  regression: ['regression'],
  environment: ['environment'],
  foreign: ['foreign', 'vague'],
  vague: ['vague', 'foreign'],
};

/** Reads a set by the name of its file in `bench/errors`. */
export function readErrors(set: string): LabelledError[] {
  const file = new URL(`errors/${set}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledError);
}
