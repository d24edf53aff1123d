import type { OutboundCall } from '#assistant/models/port.ts';
import type { EgressEntry } from '#contract/egress.ts';
import { newId } from '#db/ids.ts';
import type { Transfer } from '#git/remote.ts';
import type { Deps } from '../deps.ts';

/** User, project and purpose of an outbound call. */
interface OutboundPurpose {
  purpose: EgressEntry['purpose'];
  projectId: string | null;
  userId: string | null;
}

/** Records git transfers; those of a fetch have no user. Failures to record are ignored. */
export function recordTransfers(
  deps: Pick<Deps, 'db'>,
  projectId: string,
  userId: string | null = null,
): (transfer: Transfer) => void {
  const purpose = { purpose: 'git' as const, projectId, userId };
  const record = recordEgress({ ...deps, now: () => new Date() }, purpose, () => {});
  return ({ done, ...transfer }) => record({ ...transfer, status: done ? 200 : null });
}

/** Returns a callback that writes outbound calls to the egress log; `onFailure` receives errors of writing. */
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
