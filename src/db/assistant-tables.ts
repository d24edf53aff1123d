import type { ColumnType, Generated } from 'kysely';
import type { ChatMessage } from '#contract/chat.ts';
import type { IndexFreshness } from '#contract/common.ts';
import type { EgressEntry } from '#contract/egress.ts';
import type { DefaultTimestamp, NullableJson, Timestamp } from './columns.ts';

/** A chat of one user about one project. */
export interface ChatThreadsTable {
  project_id: string;
  id: string;
  user_id: string;
  created_at: DefaultTimestamp;
  title: string | null;
  /** Members of the project may read it. */
  shared: Generated<boolean>;
  /** The debug session that it follows up, if any. */
  session_id: string | null;
  /** The newest message of the branch that is shown; null while there is none. */
  head: string | null;
  updated_at: DefaultTimestamp;
}

/**
 * A question and its answer are stored together, once the answer is there; ids rise with time. A message follows its
 * parent; several with one parent are branches.
 */
export interface ChatMessagesTable {
  project_id: string;
  id: string;
  thread_id: string;
  role: ChatMessage['role'];
  content: string;
  status: ChatMessage['status'];
  created_at: Timestamp;
  parent_id: string | null;
  /** The model that wrote it, and what it took in the model's own units; null where none did, or did not say. */
  model: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Which commit the answer is about; null for questions, and for answers from before that was kept. */
  freshness: NullableJson<IndexFreshness>;
}

/** What a stretch of a thread was about, in a model's words: down to the message `last_id`. */
export interface ChatSummariesTable {
  project_id: string;
  thread_id: string;
  last_message_id: string;
  content: string;
  model: string;
  created_at: Timestamp;
}

/** A call that left the machine: to a language model, or of git. */
export interface EgressLogTable {
  id: string;
  at: Timestamp;
  project_id: string | null;
  user_id: string | null;
  purpose: EgressEntry['purpose'];
  host: string;
  /** Bytes of the body; bigint, which travels as text. */
  bytes_sent: ColumnType<string, number, never>;
  bytes_received: ColumnType<string, number, never>;
  /** Status of the reply; null when there was none. */
  status: number | null;
  duration_ms: number;
}

/** What a person's answers took of the language model on a day (UTC). */
export interface ModelUsageTable {
  user_id: string;
  /** `2026-05-31`. */
  day: string;
  /** Read and written ones together; a 64-bit number, which the driver gives as text. */
  tokens: ColumnType<string, number, number>;
  /** In the operator's currency; 0 where no prices are set. */
  cost: number;
  answers: number;
}

/** What an answer that is being written may take. */
export interface ModelReservationsTable {
  id: string;
  user_id: string;
  tokens: number;
  cost: number;
  /** A program that died has settled nothing: from then on it does not count. */
  expires_at: Timestamp;
}
