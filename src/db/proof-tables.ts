import type { ColumnType, Generated } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import type { Proof, ProofEnding, ProofKind, ProofRun, ProofState, ProvenCommit } from '#contract/proofs.ts';
import type { DefaultTimestamp, Json, NullableJson, Timestamp } from './columns.ts';

/** Inputs of a proof, with full hashes. */
export interface StoredProofRequest {
  command: string;
  setup: string | null;
  check: string | null;
  script: { path: string; text: string } | null;
  good: string | null;
  bad: string;
  patch: { source: 'patch' | 'revert' | 'branch'; text: string } | null;
}

/** Findings of a proof beside its runs. */
export type StoredProofResult = Pick<
  NonNullable<Proof['result']>,
  'reused' | 'runs_left' | 'current' | 'candidates' | 'failure' | 'verified'
> & {
  /** The first bad commit, once it is proven. */
  culprit?: ProvenCommit['commit'] | undefined;
  /** Good runs after which a commit counts as good, for a flaky command. */
  repeat?: number;
};

/** Attempts to prove the answer of a debug session by running a command. */
export interface ProofsTable {
  project_id: string;
  id: string;
  session_id: string;
  /** Null after the account was deleted. */
  user_id: string | null;
  /** Refers to a commit or a patch that only the author's own branch has: visible to the author alone. */
  draft: Generated<boolean>;
  kind: ProofKind;
  source: Generated<'server' | 'upload'>;
  state: Generated<ProofState>;
  request: Json<StoredProofRequest>;
  ending: ProofEnding | null;
  /** Full hash; set only when it is proven. */
  first_bad: string | null;
  /** Tree of the bad revision with the patch; set only when it is verified. */
  verified_tree: string | null;
  result: NullableJson<StoredProofResult>;
  /** Reason why it could not finish. */
  failure: NullableJson<Sentence>;
  created_at: DefaultTimestamp;
  started_at: Timestamp | null;
  finished_at: Timestamp | null;
}

/** Executions of a proof; logs are deleted after a time. */
export interface ProofRunsTable {
  project_id: string;
  proof_id: string;
  number: number;
  commit: string;
  /** Subject of the commit. */
  message: string;
  purpose: ProofRun['purpose'];
  outcome: ProofRun['outcome'];
  skip_reason: ProofRun['skip_reason'];
  ms: number;
  log: string | null;
  log_truncated: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: DefaultTimestamp;
}

/** Results of earlier executions by digest of everything that decides them. */
export interface ProofResultsTable {
  project_id: string;
  key: string;
  outcome: ProofRun['outcome'];
  skip_reason: ProofRun['skip_reason'];
  ms: number;
  output: string;
  /** Executed lines by the full hash of the commit that wrote them; null where they were not recorded. */
  lines: NullableJson<Record<string, number>>;
  created_at: DefaultTimestamp;
}
