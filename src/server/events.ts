import type { Logger } from 'pino';
import type { Notifier } from '#db/notify.ts';

/** What features tell each other. Only ids travel; who listens reads the rest again. */
type DomainEvent =
  | { type: 'project-changed'; projectId: string }
  | { type: 'project-removed'; projectId: string; userIds: string[] }
  | { type: 'index-damaged'; projectId: string; generation: string }
  | { type: 'session-ended'; sessionId: string };

type EventOf<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

export interface Events {
  /** Tells every process of this installation, this one included. Never throws; a lost event is logged. */
  emit(event: DomainEvent): void;
  /** Hears events of every process. To act once for the whole installation, send a job instead. */
  subscribe<T extends DomainEvent['type']>(type: T, listener: (event: EventOf<T>) => void): () => void;
}

const CHANNEL = 'events';

/** Events over PostgreSQL's notifications, so that replicas hear each other. */
export function createEvents({ notifier, log }: { notifier: Notifier; log: Logger }): Events {
  return {
    emit(event) {
      notifier
        .publish(CHANNEL, JSON.stringify(event))
        .catch((error) => log.warn({ err: error, event: event.type }, 'event lost'));
    },
    subscribe(type, listener) {
      return notifier.subscribe(CHANNEL, (payload) => {
        const event = JSON.parse(payload) as DomainEvent;
        if (event.type === type) listener(event as EventOf<typeof type>);
      });
    },
  };
}
