import type { OutboundCall } from '#assistant/models/port.ts';
import type { EgressEntry } from '#contract/egress.ts';
import { newId } from '#db/ids.ts';
import type { Transfer } from '#git/remote.ts';
import type { Deps } from '../deps.ts';

/** On whose behalf something leaves the machine, and what for. */
export interface OutboundPurpose {
  purpose: EgressEntry['purpose'];
  projectId: string | null;
  userId: string | null;
}

/** The same for conversations of git, which nobody asks for in person. What could not be written down is let be. */
export function recordTransfers(deps: Pick<Deps, 'db'>, projectId: string): (transfer: Transfer) => void {
  const purpose = { purpose: 'git' as const, projectId, userId: null };
  const record = recordEgress({ ...deps, now: () => new Date() }, purpose, () => {});
  return ({ done, ...transfer }) => record({ ...transfer, status: done ? 200 : null });
}

/**
 * What writes calls that leave the machine into the log that people can read. A call that cannot be written down is told to
 * `onFailure`: the call itself has happened.
 */
export function recordEgress(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { purpose, projectId, userId }: OutboundPurpose,
  onFailure: (error: unknown) => void,
): (call: OutboundCall) => void {
  return ({ host, sent, received, status, ms }) => {
    db.insertInto('egress_log')
      .values({
        ...{ id: newId(), at: now(), purpose, host, status },
        bytes_sent: sent,
        bytes_received: received,
        duration_ms: ms,
        project_id: projectId,
        user_id: userId,
      })
      .execute()
      .catch(onFailure);
  };
}
