import type { Generated } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import type { WebhookDelivery, WebhookEvent, WebhookKind } from '#contract/webhooks.ts';
import type { Language } from '#locales/languages.ts';
import type { DefaultTimestamp, Json, Timestamp } from './columns.ts';

/** Outgoing webhooks of projects. */
export interface WebhooksTable {
  project_id: string;
  id: string;
  kind: WebhookKind;
  /** The URL, encrypted: that of a chat is a secret. */
  sealed_url: string;
  host: string;
  /** Encrypted; null for chats. */
  sealed_secret: string | null;
  events: Json<WebhookEvent[]>;
  enabled: boolean;
  /** The language of its creator, in which chats are written to. */
  language: Language;
  created_at: DefaultTimestamp;
}

/** Events for a webhook: sent, or to be sent. `event_key` is unique per webhook, since every process sees an event. */
export interface WebhookDeliveriesTable {
  project_id: string;
  webhook_id: string;
  id: string;
  event: WebhookDelivery['event'];
  event_key: string;
  content: Json<{ title: Sentence; message: Sentence; url: string; data: Record<string, string> }>;
  state: Generated<WebhookDelivery['state']>;
  attempts: Generated<number>;
  status: number | null;
  problem: string | null;
  created_at: DefaultTimestamp;
  finished_at: Timestamp | null;
  /** While queued: time from which it is sent. */
  next_attempt_at: Timestamp | null;
}
