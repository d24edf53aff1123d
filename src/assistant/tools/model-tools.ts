import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { ModelTool } from '../models/port.ts';
import { TOOLS } from './registry.ts';
import type { Tool, ToolResult } from './tool.ts';

/**
 * Converts the tools for a model. `run` runs one on the project of the chat, whatever the arguments; `quote` marks repository
 * text as data. Errors are returned to the model as text.
 */
export function toModelTools(
  runTool: (tool: Tool, input: unknown, signal: AbortSignal) => Promise<ToolResult>,
  quote: (text: string) => string,
): ModelTool[] {
  return TOOLS.map((tool) => ({
    name: tool.name,
    description: tool.description,
    schema: z.toJSONSchema(tool.input, { io: 'input' }) as Record<string, unknown>,
    run: async (input, signal) => {
      try {
        return quote((await runTool(tool, input, signal)).text);
      } catch (error) {
        if (signal.aborted || !(error instanceof AppError) || error.code === 'internal') throw error;
        return error.message;
      }
    },
  }));
}

/** Summary of a tool call for people: the first text of its input. */
export function summarizeInput(input: unknown): string {
  const texts = typeof input === 'object' && input !== null ? Object.values(input) : [];
  const first = texts.find((value) => typeof value === 'string') ?? '';
  return String(first).replace(/\s+/g, ' ').slice(0, 120);
}
