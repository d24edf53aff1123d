import type { Logger } from 'pino';
import type { ProofState } from '#contract/proofs.ts';
import { newId } from '#db/ids.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Notifier } from '#db/notify.ts';

/** Account changes that the owner is notified of, in case of unauthorized access. */
export type AccountChange =
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'two_factor_reset'
  | 'recovery_code_used'
  | 'email_changed'
  | 'identity_linked'
  | 'deletion_canceled';

/** An event between features. Events contain ids only; subscribers load the rest. */
type DomainEvent =
  | { type: 'project-changed'; projectId: string }
  | { type: 'project-removed'; projectId: string; userIds: string[] }
  /** A webhook reported a push. */
  | { type: 'upstream-pushed'; projectId: string }
  /** A webhook reported a change of a pull request or its checks. */
  | { type: 'pull-request-changed'; projectId: string }
  | { type: 'index-damaged'; projectId: string; generation: string }
  /** A new head was indexed; `previous` is null after the first run. */
  | { type: 'project-indexed'; projectId: string; previous: string | null; commit: string }
  /** A run failed after all retries; the project's row has the reason. */
  | { type: 'project-failed'; projectId: string }
  /** The owner added a member to a project. */
  | { type: 'project-shared'; projectId: string; userId: string; byId: string }
  /** A user accepted an invitation of `byId`. */
  | { type: 'invitation-taken'; projectId: string; userId: string; byId: string }
  /** The project was transferred to an owner who has not provided its credential. */
  | { type: 'credential-revoked'; projectId: string; userIds: string[] }
  | { type: 'session-ended'; sessionId: string }
  | { type: 'signed-in'; userId: string; sessionId: string }
  /** A refresh token was reused, and its session revoked. */
  | { type: 'sign-in-copied'; userId: string; sessionId: string }
  | { type: 'password-changed'; userId: string }
  | { type: 'account-changed'; userId: string; change: AccountChange }
  | { type: 'plan-changed'; userId: string; plan: string }
  /** The trial of a user without a paid plan ends at `endsAt` (ISO 8601). Emitted once per trial. */
  | { type: 'trial-ending'; userId: string; endsAt: string }
  /** The gateway reported a payment of the user as failed, once for each; it may succeed later all the same. */
  | { type: 'payment-failed'; userId: string; paymentId: string }
  /** The model usage of a user reached the budget of the day or the month, which renews at `until` (ISO 8601). */
  | { type: 'budget-used'; userId: string; span: 'day' | 'month'; until: string }
  /** A commit changed lines that the answer of a debug session cites. */
  | { type: 'fix-suggested'; sessionId: string; commit: string }
  /** A new commit removed what an earlier fix added. */
  | { type: 'fix-undone'; projectId: string; commit: string; fix: string }
  /** A new commit changed lines that an earlier fix had written. */
  | { type: 'fixed-lines-changed'; projectId: string; commit: string; fix: string }
  /** New commits up to `head` match a watch; `commits` are the newest of `count`. */
  | {
      type: 'watch-matched';
      projectId: string;
      watchId: string;
      head: string;
      count: number;
      commits: string[];
    }
  /** An error is new, came back after it was solved or snoozed, has its first answer, or was assigned by `byId`. */
  | {
      type: 'error-changed';
      projectId: string;
      errorId: string;
      change: 'new' | 'regressed' | 'woken' | 'investigated' | 'assigned';
      byId?: string;
    }
  /** A proof has a new state or another run; `userId` is set where only its author may see it. */
  | {
      type: 'proof-changed';
      projectId: string;
      proofId: string;
      sessionId: string;
      state: ProofState;
      userId?: string;
    }
  /** A proof was cancelled: the process that runs it stops. */
  | { type: 'proof-cancelled'; proofId: string }
  | { type: 'feedback-given'; sessionId: string; userId: string; helpful: boolean }
  /** `notificationId` is set for a new notification. */
  | { type: 'notifications-changed'; userId: string; notificationId?: string };

type EventOf<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

/** A job that is also enqueued when a project has been indexed. */
export interface ServerJob<T extends object = object> extends JobDefinition<T> {
  /** Returns the payload for an event, or null for events that the job ignores. */
  afterIndexing?(event: EventOf<'project-indexed'>): T | null;
}

export interface Events {
  /** Emits an event to every process, including this one. Never throws; a lost event is logged. */
  emit(event: DomainEvent): void;
  /**
   * Subscribes to events of every process. The `id` is the same in all of them and serves as an idempotency key for work that
   * must happen once.
   */
  subscribe<T extends DomainEvent['type']>(
    type: T,
    listener: (event: EventOf<T>, id: string) => void,
  ): () => void;
}

const CHANNEL = 'events';

/** Creates events over PostgreSQL notifications, which reach all replicas. */
export function createEvents({ notifier, log }: { notifier: Notifier; log: Logger }): Events {
  return {
    emit(event) {
      notifier
        .publish(CHANNEL, JSON.stringify({ id: newId(), event }))
        .catch((error) => log.warn({ err: error, event: event.type }, 'event lost'));
    },
    subscribe(type, listener) {
      return notifier.subscribe(CHANNEL, (payload) => {
        const { id, event } = JSON.parse(payload) as { id: string; event: DomainEvent };
        if (event.type === type) listener(event as EventOf<typeof type>, id);
      });
    },
  };
}
