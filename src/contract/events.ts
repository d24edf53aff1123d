import { z } from 'zod';
import { notification } from './notifications.ts';
import { project } from './projects.ts';
import { proofState } from './proofs.ts';

/** Everything that can cross `/ws/notifications`, from the server to the browser. */
const socketMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('project_updated'), project }),
  z.object({ type: z.literal('project_deleted'), project_id: z.string() }),
  /** Errors of a project are new, came back, were answered or assigned. */
  z.object({ type: z.literal('errors_changed'), project_id: z.string() }),
  /** A proof has a new state or another run. */
  z.object({
    type: z.literal('proof_updated'),
    proof_id: z.string(),
    session_id: z.string(),
    state: proofState,
  }),
  z.object({
    type: z.literal('notification_count_update'),
    /** Unread notifications. */
    count: z.number(),
    /** The newest one, when it is new. */
    notification: notification.optional(),
  }),
]);
export type SocketMessage = z.infer<typeof socketMessage>;

/** Close codes of our own on the WebSocket. */
export const SOCKET_CLOSE_CODES = { signed_out: 4401, too_many: 4408 } as const;
