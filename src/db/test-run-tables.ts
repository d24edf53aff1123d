import type { Generated } from 'kysely';
import type { DefaultTimestamp, NullableJson, Timestamp } from './columns.ts';

/** Test runs of commits; outcomes are lists of `project_tests.id`. */
export interface TestRunsTable {
  project_id: string;
  id: string;
  commit: string;
  branch: string | null;
  suite: string;
  passed: number[];
  failed: number[];
  flaky: number[];
  skipped: number[];
  created_by: string | null;
  created_at: DefaultTimestamp;
}

/** Evidence for the state of a test, as the contract has it without its state. */
export interface StoredTestVerdict {
  branch: string | null;
  good: string | null;
  bad: string | null;
  candidates: number;
  mixed: string[];
  failures: number;
  runs: number;
}

/** Tests of a project with their present state and newest failure. */
export interface ProjectTestsTable {
  project_id: string;
  id: Generated<number>;
  /** Digest of suite, scope and name. */
  key: string;
  suite: string;
  scope: string;
  name: string;
  file: string | null;
  state: Generated<'passing' | 'flaky' | 'broken' | 'new' | 'unknown'>;
  verdict: NullableJson<StoredTestVerdict>;
  failed_at: Timestamp | null;
  failed_commit: string | null;
  failure: string | null;
  /** To the day. */
  last_seen: DefaultTimestamp;
}
