import type { ChatEvents } from '#contract/chat.ts';
import type { Sentence } from '#contract/common.ts';
import type { DebugEvents } from '#contract/debug.ts';
import { formatMessage, isMessageKey } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Model, OutboundCall, Usage } from '../models/port.ts';
import { answerText } from './answer-text.ts';
import type { CitableIssues } from './issue-record.ts';

/** Events of an answer in progress, by name. */
type AnswerEvents = {
  step: ChatEvents['step'] | DebugEvents['step'];
  findings: DebugEvents['findings'];
  text: ChatEvents['text'];
};

export type EmitAnswerEvent = <E extends keyof AnswerEvents>(event: E, data: AnswerEvents[E]) => void;

/** Environment of one answer, for debug and chat alike. */
export interface AnswerContext {
  /** Name of the project. */
  project: string;
  /** Absolute path of the bare repository. */
  repo: string;
  index: RepositoryIndex;
  /** Imported issues; absent where none are. */
  citableIssues?: CitableIssues | undefined;
  /** Language of the asking user. */
  language: Language;
  /** Seconds since 1970. */
  now: number;
  signal: AbortSignal;
  emit: EmitAnswerEvent;
  /** Called for every call that leaves the machine. */
  onCall(call: OutboundCall): void;
  /** Loads the project's instructions and guidance files; empty without any. They are data. */
  loadNotes(): Promise<string>;
  /** Reserves the model for this answer. */
  acquireModel(): Promise<ModelAccess>;
}

/** The model with a reservation of its budget, or the reason why there is none. */
export type ModelAccess =
  | {
      model: Model;
      /** Called with the usage so far, all calls of the answer together. */
      onUsage(usage: Usage): void;
      /** Settles the reservation; to be called once. */
      release(): Promise<void>;
    }
  | { model: null; absence: ModelAbsence };

export type ModelAbsence =
  | { kind: 'not_configured' }
  | { kind: 'budget_exhausted'; model: string; reason: Sentence }
  /** The model of the project or of the user may not be used. */
  | { kind: 'not_usable'; model: string; reason: 'not_allowed' | 'other_owner' };

/** Markdown notice below an answer without a model. */
export function modelNotice(absence: ModelAbsence, context: Pick<AnswerContext, 'language' | 'now'>): string {
  switch (absence.kind) {
    case 'not_configured':
      return `*${answerText(context, 'notice.no_model')} ${answerText(context, 'notice.add_model')}*`;
    case 'not_usable':
      return `*${answerText(context, `notice.model_${absence.reason}`, { model: absence.model })}*`;
    case 'budget_exhausted':
      return `*${sentenceText(absence.reason, context)} ${answerText(context, 'notice.budget_used')}*`;
  }
}

/** A sentence in the language of the answer; its English text when the key is unknown. */
function sentenceText(
  { code, params, text }: Sentence,
  { language, now }: Pick<AnswerContext, 'language' | 'now'>,
): string {
  return isMessageKey(code) ? formatMessage(language, code, params, now * 1000) : text;
}
