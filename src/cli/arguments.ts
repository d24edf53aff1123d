import { AppError, type ErrorKey } from '#contract/errors.ts';
import type { MessageParams } from '#locales/format-message.ts';

/** What was typed behind the command: words, and options with their values. */
export interface Arguments {
  words: string[];
  options: Map<string, string | true>;
}

/** Options that are said or not; all others take the next argument as their value. */
const SWITCHES = new Set(['json', 'help', 'version', 'references']);

/** Reads `word --option value --option=value --switch -- rest`. Throws `invalid_input` for an option without its value. */
export function readArguments(given: readonly string[]): Arguments {
  const words: string[] = [];
  const options = new Map<string, string | true>();
  for (let at = 0; at < given.length; at++) {
    const argument = given[at]!;
    if (argument === '--') {
      words.push(...given.slice(at + 1));
      break;
    }
    if (argument === '-h') options.set('help', true);
    else if (!argument.startsWith('--')) words.push(argument);
    else {
      const [name, value] = splitOption(argument);
      if (value !== null) options.set(name, value);
      else if (SWITCHES.has(name)) options.set(name, true);
      else if (given[at + 1] === undefined || given[at + 1]!.startsWith('--'))
        throw wrongUse('usage_option_value', { option: `--${name.replaceAll('_', '-')}` });
      else options.set(name, given[++at]!);
    }
  }
  return { words, options };
}

function splitOption(argument: string): [string, string | null] {
  const equals = argument.indexOf('=');
  const name = (equals < 0 ? argument : argument.slice(0, equals)).slice(2).replaceAll('-', '_');
  return [name, equals < 0 ? null : argument.slice(equals + 1)];
}

/** Throws `invalid_input` for an option that nothing would take, such as one that was spelt wrongly. */
export function allowOptions({ options }: Arguments, known: readonly string[]): void {
  const wrong = [...options.keys()].find((name) => !known.includes(name));
  if (wrong !== undefined)
    throw wrongUse('usage_unknown_option', { option: `--${wrong.replaceAll('_', '-')}` });
}

/** A command that was typed wrongly: exit code 2. */
export function wrongUse(messageKey: ErrorKey, params: MessageParams = {}): AppError {
  return new AppError('invalid_input', messageKey, { params });
}
