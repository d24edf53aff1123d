import type { ProofState } from '#contract/proofs.ts';
import type { Deps } from '../deps.ts';
import type { ProofRow } from './queries.ts';

/** Tells readers in every process that a proof has changed. */
export function announceProof(
  { events }: Pick<Deps, 'events'>,
  { id, project_id, session_id, draft, user_id }: ProofRow,
  state: ProofState,
): void {
  const audience = draft && user_id !== null ? { userId: user_id } : {};
  events.emit({
    ...{ type: 'proof-changed', projectId: project_id, proofId: id, sessionId: session_id, state },
    ...audience,
  });
}
