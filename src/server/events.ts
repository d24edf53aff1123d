import type { Logger } from 'pino';
import { newId } from '#db/ids.ts';
import type { Notifier } from '#db/notify.ts';
import type { JobDefinition } from '#jobs/queue.ts';

/** What the owner of an account is to be warned of, in case somebody else did it. */
export type AccountChange =
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'two_factor_reset'
  | 'recovery_code_used'
  | 'email_changed'
  | 'identity_linked'
  | 'deletion_canceled';

/** What features tell each other. Only ids travel; who listens reads the rest again. */
type DomainEvent =
  | { type: 'project-changed'; projectId: string }
  | { type: 'project-removed'; projectId: string; userIds: string[] }
  /** A code host tells that something was pushed. */
  | { type: 'upstream-pushed'; projectId: string }
  | { type: 'index-damaged'; projectId: string; generation: string }
  /** A run has brought in a new head; `previous` is the one before it, null after the first run. */
  | { type: 'project-indexed'; projectId: string; previous: string | null; commit: string }
  /** A run has failed for good; the project's row says why. */
  | { type: 'project-failed'; projectId: string }
  /** Somebody was let into a project by its owner. */
  | { type: 'project-shared'; projectId: string; userId: string; byId: string }
  /** Somebody came into a project by an invitation of `byId`. */
  | { type: 'invitation-taken'; projectId: string; userId: string; byId: string }
  /** The project has another owner, who has not given what opens its repository. */
  | { type: 'credential-revoked'; projectId: string; userIds: string[] }
  | { type: 'session-ended'; sessionId: string }
  | { type: 'signed-in'; userId: string; sessionId: string }
  /** Somebody holds a copy of what renews this sign-in; it has been ended. */
  | { type: 'sign-in-copied'; userId: string; sessionId: string }
  | { type: 'password-changed'; userId: string }
  | { type: 'account-changed'; userId: string; change: AccountChange }
  | { type: 'plan-changed'; userId: string; plan: string }
  /** A commit changed the lines that the answer of a debug session points at. */
  | { type: 'fix-suggested'; sessionId: string; commit: string }
  | { type: 'feedback-given'; sessionId: string; userId: string; helpful: boolean }
  /** `notificationId` names a new one. */
  | { type: 'notifications-changed'; userId: string; notificationId?: string };

type EventOf<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

/** A job that is also enqueued when a project has been indexed. */
export interface ServerJob<T extends object = object> extends JobDefinition<T> {
  /** Returns the payload for an event, or null for events that the job ignores. */
  afterIndexing?(event: EventOf<'project-indexed'>): T | null;
}

export interface Events {
  /** Tells every process of this installation, this one included. Never throws; a lost event is logged. */
  emit(event: DomainEvent): void;
  /**
   * Hears events of every process. All of them hear the same `id`: to act once for the whole installation, keep
   * what was done under it, or send a job instead.
   */
  subscribe<T extends DomainEvent['type']>(
    type: T,
    listener: (event: EventOf<T>, id: string) => void,
  ): () => void;
}

const CHANNEL = 'events';

/** Events over PostgreSQL's notifications, so that replicas hear each other. */
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
