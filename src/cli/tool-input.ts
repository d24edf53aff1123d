import type { z } from 'zod';
import type { Tool } from '#assistant/tools/tool.ts';
import { type Arguments, usageError } from './arguments.ts';

/** Options of the command itself, which are not tool input. */
export const COMMON_OPTIONS = ['repo', 'cache', 'json', 'help', 'server', 'project'];

/**
 * Builds the input of a tool from arguments: options by name, words for the required fields in order, of which the last takes
 * all remaining words. The tool validates the values. Throws `invalid_input` for an unknown option.
 */
export function parseToolInput(tool: Tool, { words, options }: Arguments): Record<string, unknown> {
  const shape: Record<string, z.ZodType> = tool.input.shape;
  const input: Record<string, unknown> = {};
  for (const [name, value] of options) {
    if (COMMON_OPTIONS.includes(name)) continue;
    const field = shape[name];
    if (!field) throw usageError('usage_unknown_tool_option', { tool: tool.name, option: `--${name}` });
    input[name] = parseValue(field, value);
  }
  const open = Object.keys(shape).filter(
    (name) => !(name in input) && !shape[name]!.safeParse(undefined).success,
  );
  // Words for a tool without required fields are its first field: `search_commits rounding`.
  const fields =
    open.length > 0
      ? open
      : Object.keys(shape)
          .filter((name) => !(name in input))
          .slice(0, 1);
  words.forEach((word, index) => {
    const name = fields[Math.min(index, fields.length - 1)];
    if (name === undefined)
      throw usageError('usage_extra_word', { tool: tool.name, word: JSON.stringify(word) });
    const before = input[name];
    input[name] = before === undefined ? parseValue(shape[name]!, word) : `${before} ${word}`;
  });
  return input;
}

/** Converts a value to the type of its field: number, boolean or text. */
function parseValue(field: z.ZodType, value: string | true): unknown {
  if (value === true) return true;
  if (field.safeParse(value).success) return value;
  if (/^-?\d{1,12}$/.test(value)) return Number(value);
  return value === 'true' ? true : value === 'false' ? false : value;
}
