import { AppError, type ErrorKey } from '#contract/errors.ts';
import type { MessageParams } from '#locales/format-message.ts';

/** Arguments of a command: words, and options with their values. */
export interface Arguments {
  words: string[];
  options: Map<string, string | true>;
  /** Values of the options that may be repeated. */
  lists: Map<string, string[]>;
}

/** Boolean options; all others take a value. */
const BOOLEAN_OPTIONS = new Set([
  'json',
  'help',
  'version',
  'references',
  'dry_run',
  'draft',
  'comment',
  'fresh',
  'with_keys',
  'yes',
  'undo',
  'stdio',
]);
/** Options that may be repeated. */
const LIST_OPTIONS = new Set(['junit', 'with']);

/** Parses `word --option value --option=value --switch -- rest`. Throws `invalid_input` for an option without its value. */
export function parseArguments(argv: readonly string[]): Arguments {
  const words: string[] = [];
  const options = new Map<string, string | true>();
  const lists = new Map<string, string[]>();
  const set = (name: string, value: string) => {
    if (LIST_OPTIONS.has(name)) lists.set(name, [...(lists.get(name) ?? []), value]);
    else options.set(name, value);
  };
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at]!;
    if (argument === '--') {
      words.push(...argv.slice(at + 1));
      break;
    }
    if (argument === '-h') options.set('help', true);
    else if (!argument.startsWith('--')) words.push(argument);
    else {
      const [name, value] = splitOption(argument);
      if (value !== null) set(name, value);
      else if (BOOLEAN_OPTIONS.has(name)) options.set(name, true);
      else if (argv[at + 1] === undefined || argv[at + 1]!.startsWith('--'))
        throw usageError('usage_option_value', { option: `--${name.replaceAll('_', '-')}` });
      else set(name, argv[++at]!);
    }
  }
  return { words, options, lists };
}

function splitOption(argument: string): [string, string | null] {
  const equals = argument.indexOf('=');
  const name = (equals < 0 ? argument : argument.slice(0, equals)).slice(2).replaceAll('-', '_');
  return [name, equals < 0 ? null : argument.slice(equals + 1)];
}

/** Throws `invalid_input` for unknown options. */
export function requireKnownOptions({ options, lists }: Arguments, known: readonly string[]): void {
  const wrong = [...options.keys(), ...lists.keys()].find((name) => !known.includes(name));
  if (wrong !== undefined)
    throw usageError('usage_unknown_option', { option: `--${wrong.replaceAll('_', '-')}` });
}

/** The error of wrong usage, with exit code 2. */
export function usageError(messageKey: ErrorKey, params: MessageParams = {}): AppError {
  return new AppError('invalid_input', messageKey, { params });
}
