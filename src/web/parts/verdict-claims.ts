import type { DebugAnswer, Suspect, TimelineStep } from '#contract/debug.ts';
import type { VerdictKind } from '#contract/error-groups.ts';

/** Kind of an answer; null for answers from before kinds were stored. A defect of which neither place nor cause is known is unclear. */
export function verdictKind(answer: DebugAnswer): VerdictKind | null {
  const { kind, cause_confidence: cause, proven, abstained } = answer;
  if (proven) return 'regression';
  if (kind !== 'regression') return kind ?? null;
  if (abstained) return 'vague';
  return typeof cause === 'number' ? 'regression' : 'defect';
}

/** The proven or accused commit with its changed lines; null when there is none. */
export function accusedCommit(answer: DebugAnswer): (Suspect & { step: TimelineStep }) | null {
  if (answer.proven) return provenSuspect(answer, answer.proven.commit);
  const step = answer.timeline.find(({ kind }) => kind === 'suspect');
  if (!step?.commit || answer.abstained || (answer.kind && answer.kind !== 'regression')) return null;
  const { hash, message, author, timestamp } = step.commit;
  const suspect = answer.suspect_commits.find((one) => one.hash === hash);
  return {
    ...{ hash, message, author, timestamp, step, why: step.why },
    score: suspect?.score ?? answer.confidence,
    path: step.path ?? suspect?.path ?? null,
    hunk: step.hunk ?? suspect?.hunk ?? null,
  };
}

/** A proven commit, with what the answer knows of its changes. */
function provenSuspect(
  answer: DebugAnswer,
  commit: NonNullable<DebugAnswer['proven']>['commit'],
): Suspect & { step: TimelineStep } {
  const { hash, timestamp } = commit;
  const known = answer.timeline.find((one) => one.kind === 'suspect' && one.commit?.hash === hash);
  const suspect = [...answer.suspect_commits, ...(answer.related_commits ?? [])].find(
    (one) => one.hash === hash,
  );
  const why = { code: 'proofs.ending.proven', params: { commit: hash.slice(0, 7) }, text: '' };
  const step = known ?? { kind: 'suspect' as const, timestamp, commit, why, evidence: [] };
  const { path = known?.path ?? null, hunk = known?.hunk ?? null } = suspect ?? {};
  return { ...commit, step, why, score: 1, path, hunk };
}

/** Differences below this show as the same percentage. */
const SAME = 0.005;

/** A statement with its probability: the headline where it claims something else, the place, the cause, and the next likely kind. */
export type StatedClaim =
  | { claim: 'confidence' | 'place' | 'cause'; value: number }
  | { claim: 'other'; kind: VerdictKind; value: number };

/** Statements of an answer in the order in which they are shown; the next likely kind follows the headline, which says the likeliest. */
export function statedProbabilities(answer: DebugAnswer): StatedClaim[] {
  const { confidence, place_confidence: place, cause_confidence: cause, proven } = answer;
  const stated: StatedClaim[] = [
    ...(typeof place === 'number' ? [{ claim: 'place' as const, value: place }] : []),
    ...(typeof cause === 'number' ? [{ claim: 'cause' as const, value: cause }] : []),
  ];
  // An answer that claims nothing has no probability, and a proof needs none.
  if (answer.abstained || proven) return stated;
  const other = otherKind(answer);
  if (stated.some(({ value }) => Math.abs(value - confidence) < SAME)) return [...stated, ...other];
  return [{ claim: 'confidence', value: confidence }, ...other, ...stated];
}

/** The next likely kind of the error; empty where none is stated. A defect without an accused commit is no regression. */
function otherKind({ alternative }: DebugAnswer): StatedClaim[] {
  if (!alternative) return [];
  const { kind, confidence: value } = alternative;
  return [{ claim: 'other', kind: kind === 'regression' ? 'defect' : kind, value }];
}

/** Command that starts a bisection between the commit before the suspect and the indexed one; null without a suspect. */
export function bisectCommand(answer: DebugAnswer): string | null {
  const suspect = accusedCommit(answer);
  if (!suspect || answer.proven) return null;
  return `git bisect start ${answer.indexed_commit.slice(0, 12)} ${suspect.hash.slice(0, 12)}~1`;
}
