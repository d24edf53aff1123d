import type { EnvironmentFact } from '#contract/debug.ts';
import { parsePrintedPath } from '../locate/printed-path.ts';
import type { Trace } from '../trace/trace.ts';
import { FAULT_PATTERNS } from './fault-patterns.ts';

/** A fault of the machine or its set-up that the error names. */
export interface EnvironmentFault {
  fact: EnvironmentFact['fact'];
  /** The words of the error. */
  found: string;
}

/** A dependency of another version: `cannot import name 'soft_unicode' from 'markupsafe' (/venv/…)`. */
const OTHER_VERSION =
  /cannot import name '\w+' from '([\w.]+)'.{0,120}|The requested module '([^'./][^']*)' (?:does not provide an export named.{0,60}|is a CommonJS module.{0,60})/;
/** A conversion on the failing line: the program chose the codec, not the locale. */
const CHOSEN_CODEC = /\.(?:de|en)code\(/;
/** A generic type of Python before 3.9, `list[str]`, which older versions evaluate. */
const SUBSCRIPTED_TYPE = /^'(?:type|ABCMeta)' object is not subscriptable/;
const GENERIC_TYPE =
  /(?:[:>|,[] ?|=\s*)(?:list|dict|tuple|set|frozenset|type|deque|\w*\.?(?:Callable|Iterator|Iterable|Sequence|Mapping|Pattern|OrderedDict|defaultdict))\[/;
/** A class of an installed package that does not fit the interface of another one. */
const INCOMPATIBLE = /^Declaration of (\w+)[\w\\]*::.{1,300} must be compatible with (\w+)[\w\\]*::\w+/;
const MAX_FOUND_LENGTH = 160;
/** Lines of a text without frames that are read as the error. */
const MAX_PLAIN_LINES = 40;

/**
 * Finds the fault of the environment that an error names; null when it names none. `isOwn` tells the modules of the project,
 * whose missing names are no fault of the environment.
 */
export function findEnvironmentFault(
  trace: Trace,
  isOwn: (module: string) => boolean = () => false,
): EnvironmentFault | null {
  const text = errorLines(trace);
  const other = OTHER_VERSION.exec(text);
  if (other && !isOwn(other[1] ?? other[2]!))
    return { fact: 'module', found: other[0].trim().slice(0, MAX_FOUND_LENGTH) };
  const incompatible = INCOMPATIBLE.exec(trace.message);
  const failing = parsePrintedPath(trace.frames[0]?.path ?? '');
  if (incompatible && incompatible[1] !== incompatible[2] && failing.package !== null)
    return { fact: 'module', found: incompatible[0].slice(0, MAX_FOUND_LENGTH) };
  if (SUBSCRIPTED_TYPE.test(trace.message) && GENERIC_TYPE.test(trace.frames[0]?.text ?? ''))
    return { fact: 'runtime', found: trace.message.slice(0, MAX_FOUND_LENGTH) };
  for (const [fact, pattern] of FAULT_PATTERNS) {
    if (fact === 'encoding' && CHOSEN_CODEC.test(trace.frames[0]?.text ?? '')) continue;
    const found = pattern.exec(text)?.[0].trim();
    if (found) return { fact, found: found.slice(0, MAX_FOUND_LENGTH) };
  }
  return null;
}

/** A shell that a program started lacks a command: it says so before the program fails. */
const ABSENT_COMMAND = /^(?:\S*\/)?(?:ba|da|z)?sh: (?:(?:line )?\d+: )?\S+: (?:command )?not found$/;

/** Type, message and code of the errors, and what a shell printed; of a text without a trace, its first lines. */
function errorLines({ language, errorType, message, code, related, frames, lines }: Trace): string {
  const errors = [{ type: errorType, message, code }, ...related].map((error) =>
    [error.type, error.message, error.code].filter(Boolean).join(': '),
  );
  const isPlain = (frames.length === 0 || language === null) && lines.length <= MAX_PLAIN_LINES;
  const printed = isPlain ? lines : lines.filter((line) => ABSENT_COMMAND.test(line.trim()));
  return [...errors, ...printed].join('\n');
}

/** Runtimes whose versions are compared. */
export type RuntimeName = 'node' | 'python' | 'ruby' | 'php' | 'go' | 'java' | 'rust';

/** A runtime with its version, as the text states it. */
export interface RuntimeVersion {
  name: RuntimeName;
  version: string;
}

const VERSIONS: [RuntimeName, RegExp][] = [
  [
    'node',
    /\bNode\.?js:? v?(\d+(?:\.\d+){0,2})|"?node"?\s*[:=]\s*['"]?v(\d+(?:\.\d+){0,2})|\bnode(?:\.js)? (?:version )?v?(\d+(?:\.\d+){1,2})/i,
  ],
  ['python', /\bpython ?(\d\.\d+(?:\.\d+)?)|\/lib\/python(\d\.\d+)\/|\/Python(\d)(\d{1,2})\\/i],
  ['ruby', /\bruby[ -](\d+\.\d+(?:\.\d+)?)|\/lib\/ruby\/(?:gems\/)?(\d+\.\d+)(?:\.\d+)?\//i],
  ['php', /\bPHP[ /](\d+\.\d+(?:\.\d+)?)/],
  ['go', /\bgo(?:lang)?[ /-]?(1\.\d+(?:\.\d+)?)\b/i],
  ['java', /\b(?:java|jdk|openjdk)[ -](?:version )?"?(\d+(?:\.\d+){0,2})/i],
  ['rust', /\brustc (\d+\.\d+(?:\.\d+)?)/],
];

/** Runtime versions that the text states, in banners (`Node.js v20.20.2`) and in paths (`lib/python3.6/`). */
export function findRuntimeVersions(text: string): RuntimeVersion[] {
  return VERSIONS.flatMap(([name, pattern]) => {
    const version = pattern
      .exec(text)
      ?.slice(1)
      .filter((part) => part !== undefined)
      .join('.');
    return version ? [{ name, version }] : [];
  });
}
