import type { ChatMessage, OfferedReading } from '#contract/chat.ts';
import { AppError } from '#contract/errors.ts';
import { type AnswerContext, modelNotice } from '../answer/answer-context.ts';
import type { AnswerSteps, Draft } from '../answer/answer-pipeline.ts';
import { streamCheckedLines } from '../answer/model-text.ts';
import type { Usage } from '../models/port.ts';
import { summarizeInput, toModelTools } from '../tools/model-tools.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import type { QuestionAnswer } from './answer-question.ts';
import { buildChatPrompt } from './chat-prompt.ts';

/** A question of a chat, with the history that may be used to answer it. */
export interface ChatRequest {
  question: string;
  /** True for the first question of a thread. */
  isFirst: boolean;
  useCode: boolean;
  /** Earlier messages, oldest first; empty when they are not to be used. */
  history: ChatMessage[];
  /** Summary of the messages before those. */
  summary: string;
}

/** `model` and `usage` are null for an answer without a model, which alone offers other readings. */
export type ChatAnswer = Pick<ChatMessage, 'content' | 'status'> & {
  readings: OfferedReading[];
  model: string | null;
  usage: Usage | null;
};

interface ChatSources {
  collect(): Promise<QuestionAnswer>;
  runTool(tool: Tool, input: unknown): Promise<ToolResult>;
}

/** Steps of a chat answer. */
export function createChatSteps(
  request: ChatRequest,
  { collect, runTool }: ChatSources,
  { signal, emit, ...context }: AnswerContext,
): AnswerSteps<QuestionAnswer, ChatAnswer> {
  return {
    collect,
    assemble({ answer, readings }, absence) {
      // The missing model is stated once in a thread.
      const isNoticeDue = request.isFirst || absence.kind !== 'not_configured';
      const content = isNoticeDue ? `${answer}\n\n${modelNotice(absence, context)}` : answer;
      emit('text', { text: content });
      return { content, status: 'done', model: null, usage: null, readings };
    },
    async compose(evidence, { model, onCall, onUsage, verdicts }): Promise<Draft<ChatAnswer>> {
      emit('step', { step: 'generating' });
      const { question, useCode, summary } = request;
      const history = toTurns(request.history);
      // Without code context, no repository content is sent to the model.
      const repositoryText = useCode ? evidence.context : '';
      const { project } = context;
      const notes = useCode ? await context.loadNotes() : '';
      const prompt = buildChatPrompt({ project, question, context: repositoryText, history, summary, notes });
      let usage: Usage = { input: null, output: null };
      const pieces = model.write(prompt, {
        signal,
        onCall,
        onStep: (tool, input) => emit('step', { step: 'tool_call', tool, query: summarizeInput(input) }),
        onUsage: (sum) => {
          usage = sum;
          onUsage(sum);
        },
        ...(useCode && { tools: toModelTools(runTool, prompt.quote) }),
      });
      let markdown = '';
      let status: ChatAnswer['status'] = 'done';
      try {
        for await (const text of streamCheckedLines(pieces, context, verdicts)) {
          markdown += text;
          emit('text', { text });
        }
      } catch (error) {
        if (!signal.aborted) throw error;
        status = 'stopped';
      }
      return {
        markdown,
        toAnswer(validated) {
          // Later text can change how earlier text is parsed, so the whole is validated again.
          const content = status === 'stopped' ? markdown : validated;
          if (status === 'done' && content.trim() === '') {
            throw new AppError('unavailable', 'model_answer_empty', { reason: 'model_answer_empty' });
          }
          return { content, status, model: model.name, usage, readings: [] };
        },
      };
    },
    recover(_evidence, error) {
      throw error;
    },
  };
}

function toTurns(history: ChatMessage[]) {
  return history.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }]));
}
