import type { AnswerStep, ChatMessage, ContextUse, OfferedReading } from '#contract/chat.ts';
import { AppError } from '#contract/errors.ts';
import type { ModelSource } from '#contract/own-models.ts';
import { type AnswerContext, modelNotice } from '../answer/answer-context.ts';
import type { AnswerSteps, Draft } from '../answer/answer-pipeline.ts';
import { streamCheckedLines } from '../answer/model-text.ts';
import type { TurnImage, Usage } from '../models/port.ts';
import { summarizeInput, toModelTools } from '../tools/model-tools.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import type { QuestionAnswer } from './answer-question.ts';
import { buildChatPrompt } from './chat-prompt.ts';
import { measureContext } from './context-use.ts';
import { createStepLog, type StepLog } from './step-log.ts';

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
  /** Files of the question and of the messages before it; empty without any. */
  attachments: { text: string; images: TurnImage[] };
}

/** `model` and `usage` are null for an answer without a model, which alone offers other readings. */
export type ChatAnswer = Pick<ChatMessage, 'content' | 'status'> & {
  readings: OfferedReading[];
  model: string | null;
  usage: Usage | null;
  modelSource: ModelSource | null;
  steps: AnswerStep[];
  context: ContextUse | null;
};

interface ChatSources {
  /** Collects the evidence, with context where a model reads it; `log` measures the steps that the answer keeps. */
  collect(log: StepLog, forModel: boolean): Promise<QuestionAnswer>;
  runTool(tool: Tool, input: unknown): Promise<ToolResult>;
}

/** Steps of a chat answer. */
export function createChatSteps(
  request: ChatRequest,
  { collect, runTool }: ChatSources,
  { signal, emit, ...context }: AnswerContext,
): AnswerSteps<QuestionAnswer, ChatAnswer> {
  const log = createStepLog();
  return {
    collect: (forModel) => collect(log, forModel),
    assemble({ answer, readings }, absence) {
      // The missing model is stated once in a thread.
      const isNoticeDue = request.isFirst || absence.kind !== 'not_configured';
      const content = isNoticeDue ? `${answer}\n\n${modelNotice(absence, context)}` : answer;
      emit('text', { text: content });
      const { steps } = log;
      const nothing = { model: null, modelSource: null, usage: null, context: null };
      return { content, status: 'done', readings, steps, ...nothing };
    },
    async compose(evidence, { model, onCall, onUsage, verdicts }): Promise<Draft<ChatAnswer>> {
      emit('step', { step: 'generating' });
      const { question, useCode, summary, attachments } = request;
      const history = toTurns(request.history);
      // Without code context, no repository content is sent to the model.
      const repositoryText = useCode ? evidence.context : '';
      const { project } = context;
      const notes = useCode ? await context.loadNotes() : '';
      const prompt = buildChatPrompt({
        ...{ project, question, context: repositoryText, history, summary, notes },
        ...{ attachments: attachments.text, images: attachments.images },
      });
      const runLogged = (tool: Tool, input: unknown) =>
        log.measure(
          { tool: tool.name, query: summarizeInput(input) },
          () => runTool(tool, input),
          (result) => result.citations.length,
        );
      let toolText = 0;
      const quote = (text: string) => {
        toolText += text.length;
        return prompt.quote(text);
      };
      let usage: Usage = { input: null, output: null };
      const pieces = model.write(prompt, {
        signal,
        onCall,
        onStep: (tool, input) => emit('step', { step: 'tool_call', tool, query: summarizeInput(input) }),
        onUsage: (sum) => {
          usage = sum;
          onUsage(sum);
        },
        ...(useCode && { tools: toModelTools(runLogged, quote) }),
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
          const context = measureContext(usage, model.traits?.contextWindow ?? null, {
            conversation: [question, summary, ...history.map(({ content }) => content)],
            evidence: [repositoryText, notes, toolText],
            attachments: [attachments.text],
            images: attachments.images.length,
            system: prompt.system,
            reply: content,
          });
          const modelSource = model.traits?.source ?? null;
          return {
            content,
            status,
            model: model.name,
            usage,
            readings: [],
            modelSource,
            context,
            steps: log.steps,
          };
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
