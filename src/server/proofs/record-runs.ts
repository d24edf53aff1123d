import type { ProofRun } from '#contract/proofs.ts';
import type { StoredProofResult } from '#db/proof-tables.ts';
import type { RunReport } from '#proof/runner.ts';
import type { Deps } from '../deps.ts';
import { announceProof } from './announce-proof.ts';
import { EMPTY_RESULT } from './proven-commit.ts';
import { type ProofRow, updateProof } from './queries.ts';

/** Characters of a log that are kept: its beginning, and its end, where runners print failures. */
const LOG_HEAD = 8 * 1024;
const LOG_TAIL = 24 * 1024;

/** Progress of a proof, which readers follow live. */
export interface RunRecorder {
  readonly result: StoredProofResult;
  /** A run of a commit begins. */
  start(commit: string, runsLeft: number | null): void;
  /** A run ended. */
  add(commit: string, purpose: ProofRun['purpose'], run: RunReport, runsLeft: number | null): void;
  /** An outcome was known. */
  reuse(commit: string, outcome: ProofRun['outcome'], runsLeft: number | null): void;
  /** Resolves when everything is stored; rejects with the first failure. */
  settle(): Promise<void>;
}

interface RecorderOptions {
  proof: ProofRow;
  /** Number of the last run of an interrupted attempt. */
  lastNumber: number;
  /** Subject of a commit; empty for an unknown one. */
  subjectOf(commit: string): string;
  /** Called when the proof was cancelled or deleted, or cannot be stored. */
  onLost(error: Error): void;
}

/** Stores runs one after the other, and announces each change. */
export function createRunRecorder(
  { db, events, now }: Pick<Deps, 'db' | 'events' | 'now'>,
  { proof, lastNumber, subjectOf, onLost }: RecorderOptions,
): RunRecorder {
  const { id, project_id } = proof;
  const result: StoredProofResult = { ...EMPTY_RESULT, ...proof.result, current: null };
  let number = lastNumber;
  let writes = Promise.resolve();
  const write = (work: () => Promise<unknown>) => {
    writes = writes.then(async () => {
      await work();
      if (!(await updateProof(db, proof, { result }))) throw new Error('The proof has ended.');
      announceProof({ events }, proof, 'running');
    });
    writes.catch(onLost);
  };
  return {
    result,
    start(commit, runsLeft) {
      result.current = { commit, message: subjectOf(commit), started_at: now().toISOString() };
      result.runs_left = runsLeft;
      write(async () => {});
    },
    add(commit, purpose, { outcome, skipReason, output, ms }, runsLeft) {
      number++;
      result.current = null;
      result.runs_left = runsLeft;
      const log = cutLog(output);
      const row = {
        ...{ project_id, proof_id: id, number, commit, message: subjectOf(commit), purpose, outcome },
        ...{ skip_reason: skipReason, ms: Math.round(ms), log: log.text, log_truncated: log.isTruncated },
      };
      write(() => db.insertInto('proof_runs').values(row).execute());
    },
    reuse(commit, outcome, runsLeft) {
      result.current = null;
      result.runs_left = runsLeft;
      if (!result.reused.some((one) => one.commit === commit)) result.reused.push({ commit, outcome });
      write(async () => {});
    },
    settle: () => writes,
  };
}

/** Cuts the middle out of a long log; PostgreSQL stores no U+0000. */
function cutLog(output: string): { text: string; isTruncated: boolean } {
  const text = output.replaceAll('\0', '\u{fffd}').toWellFormed();
  if (text.length <= LOG_HEAD + LOG_TAIL) return { text, isTruncated: false };
  return {
    text: `${text.slice(0, LOG_HEAD)}\n…\n${text.slice(-LOG_TAIL)}`.toWellFormed(),
    isTruncated: true,
  };
}
