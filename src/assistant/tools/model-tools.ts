import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { ModelTool } from '../models/port.ts';
import { TOOLS } from './registry.ts';
import type { Tool, ToolResult } from './tool.ts';

/**
 * The tools as a model takes them. `use` runs one on the project of the chat, whichever arguments the model makes up;
 * `quote` marks what the repository says as data. What goes wrong is told to the model in words.
 */
export function modelTools(
  use: (tool: Tool, input: unknown, signal: AbortSignal) => Promise<ToolResult>,
  quote: (text: string) => string,
): ModelTool[] {
  return TOOLS.map((tool) => ({
    name: tool.name,
    description: tool.description,
    schema: z.toJSONSchema(tool.input, { io: 'input' }) as Record<string, unknown>,
    use: async (input, signal) => {
      try {
        return quote((await use(tool, input, signal)).text);
      } catch (error) {
        if (signal.aborted || !(error instanceof AppError) || error.code === 'internal') throw error;
        return error.message;
      }
    },
  }));
}

/** What a use of a tool is about, in a few words for people: its first text. */
export function summarizeInput(input: unknown): string {
  const texts = typeof input === 'object' && input !== null ? Object.values(input) : [];
  const first = texts.find((value) => typeof value === 'string') ?? '';
  return String(first).replace(/\s+/g, ' ').slice(0, 120);
}
