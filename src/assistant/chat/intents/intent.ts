import type { OfferedReading } from '#contract/chat.ts';
import type { MessageKey, MessageParams } from '#locales/format-message.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Reading } from '../understand/reading.ts';

/** Key of a message of `answers.understood`. */
type UnderstoodKey = MessageKey extends infer Key
  ? Key extends `answers.understood.${infer Path}`
    ? Path
    : never
  : never;

export interface IntentAnswer {
  /** Markdown with citations. */
  text: string;
  /** Degree to which the evidence answers the reading, 0 to 1. */
  evidence: number;
  /** Further properties of the evidence, which the probability of the answer depends on. */
  signals?: Record<string, number>;
  /** States the reading; the parameters are markdown. */
  understood: { key: UnderstoodKey; params: MessageParams };
  /** Question that lists what this answer leaves out. */
  complete?: OfferedReading;
}

/** Answers a reading from the repository; null when it has nothing to say. */
export type AnswerIntent = (reading: Reading, context: ToolContext) => Promise<IntentAnswer | null>;
