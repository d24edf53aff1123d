import type { ColumnType, Generated } from 'kysely';
import type { AnswerStep, Attachment, ChatMessage, ContextUse, OfferedReading } from '#contract/chat.ts';
import type { IndexFreshness } from '#contract/common.ts';
import type { EgressEntry } from '#contract/egress.ts';
import type { ModelSource, OwnModel } from '#contract/own-models.ts';
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
  /** The model that generated it, and its token usage; null without a model, or where it is not reported. */
  model: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Commit that the answer is based on; null for questions, and for older answers. */
  freshness: NullableJson<IndexFreshness>;
  /** Other readings of the question that are offered beside its answer; null where none is. */
  readings: NullableJson<OfferedReading[]>;
  model_source: ModelSource | null;
  /** Null for questions, and for older answers. */
  steps: NullableJson<AnswerStep[]>;
  /** Null without a model. */
  context: NullableJson<ContextUse>;
}

/** A file of a question; `message_id` is null until the question is sent. */
export interface ChatAttachmentsTable {
  project_id: string;
  id: string;
  user_id: string;
  message_id: string | null;
  kind: Attachment['kind'];
  name: string;
  media_type: string;
  /** Bytes of what is stored. */
  size: number;
  /** Pixels; null for text. */
  width: number | null;
  height: number | null;
  /** With secrets redacted; null for an image. */
  text: string | null;
  /** Null for text. */
  data: Buffer | null;
  created_at: Timestamp;
}

/** A person's own model; the key is sealed for its URL. */
export interface UserModelsTable {
  user_id: string;
  provider: OwnModel['provider'];
  name: string;
  base_url: string;
  sealed_key: string | null;
  tested: NullableJson<OwnModel['tested']>;
  created_at: DefaultTimestamp;
}

/** A project's model; it answers while the one who set it owns the project. */
export interface ProjectModelsTable extends Omit<UserModelsTable, 'user_id'> {
  project_id: string;
  created_by: string | null;
}

/** Summary of a part of a thread by a model, up to the message `last_message_id`. */
export interface ChatSummariesTable {
  project_id: string;
  thread_id: string;
  last_message_id: string;
  content: string;
  model: string;
  created_at: Timestamp;
}

/** An outbound call: to a language model, or of git. */
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

/** Language model usage of a user on a day (UTC). */
export interface ModelUsageTable {
  user_id: string;
  /** `2026-05-31`. */
  day: string;
  /** Input and output tokens; a 64-bit number, which the driver returns as text. */
  tokens: ColumnType<string, number, number>;
  /** In the operator's currency; 0 where no prices are set. */
  cost: number;
  answers: number;
}

/** Budget reservation of an answer in progress. */
export interface ModelReservationsTable {
  id: string;
  user_id: string;
  tokens: number;
  cost: number;
  /** Ends reservations of processes that crashed. */
  expires_at: Timestamp;
}
