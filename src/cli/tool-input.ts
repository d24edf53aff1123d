import type { z } from 'zod';
import type { Tool } from '#assistant/tools/tool.ts';
import { type Arguments, wrongUse } from './arguments.ts';

/** Options of the command itself, which no tool takes. */
export const OWN_OPTIONS = ['repo', 'cache', 'json', 'help', 'server', 'project'];

/**
 * The input of a tool from what was typed: options by name, words for the fields that are required, in their order; the last
 * of them takes all words that are left. The tool itself checks the values. Throws `invalid_input` for an unknown option.
 */
export function readToolInput(tool: Tool, { words, options }: Arguments): Record<string, unknown> {
  const shape: Record<string, z.ZodType> = tool.input.shape;
  const input: Record<string, unknown> = {};
  for (const [name, value] of options) {
    if (OWN_OPTIONS.includes(name)) continue;
    const field = shape[name];
    if (!field) throw wrongUse('usage_unknown_tool_option', { tool: tool.name, option: `--${name}` });
    input[name] = readValue(field, value);
  }
  const open = Object.keys(shape).filter(
    (name) => !(name in input) && !shape[name]!.safeParse(undefined).success,
  );
  // A tool that requires nothing takes words for its first field: `search_commits rounding`.
  const fields =
    open.length > 0
      ? open
      : Object.keys(shape)
          .filter((name) => !(name in input))
          .slice(0, 1);
  words.forEach((word, index) => {
    const name = fields[Math.min(index, fields.length - 1)];
    if (name === undefined)
      throw wrongUse('usage_extra_word', { tool: tool.name, word: JSON.stringify(word) });
    const before = input[name];
    input[name] = before === undefined ? readValue(shape[name]!, word) : `${before} ${word}`;
  });
  return input;
}

/** A number where the field is one, a yes where it is a switch, else the text. */
function readValue(field: z.ZodType, value: string | true): unknown {
  if (value === true) return true;
  if (field.safeParse(value).success) return value;
  if (/^-?\d{1,12}$/.test(value)) return Number(value);
  return value === 'true' ? true : value === 'false' ? false : value;
}
