import type { FrameOwner } from '../locate/frame-owners.ts';
import { anyOf } from '../trace/any-of.ts';
import { failsInBuiltIn } from '../trace/built-in-failure.ts';
import type { Trace, TraceLanguage } from '../trace/trace.ts';

/**
 * Failure of a caller's code on a line of its own, outside every installed package: by a `check` that it raised itself, such
 * as an assertion about a result, or by a `value` whose type or absence it did not expect, at compile time as well.
 */
export type CallerFailure = 'check' | 'value';

/** Statements that raise or compare, on the failing line. */
const RAISING_LINE =
  /\b(?:throw|raise|assert\w*|expect\w*|should|fail|panic|die|croak|confess|abort)\b|\bAssert\.\w+\(|\bt\.(?:Error|Fatal)f?\(/;
/** Classes that a program raises without defining its own, last part of the name. */
const GENERIC_CLASS =
  /^(?:Error|Exception|Failure|FAIL|panic|(?:Runtime|Assert\w*|\w*Assertion\w*|Standard|Value)(?:Error|Exception|Failed\w*)?|Assertion|IllegalStateException|IllegalArgumentException|LogicException|UnexpectedValueException|InvalidOperationException|ComparisonFailure|ExpectationNotMetError|SystemExit)$/;
/** A comparison of two values, as programs and test runners word it. */
const EXPECTATION = anyOf(
  'i',
  /\bexpected\b[\s\S]{0,300}\b(?:got|but|actual|received|found|was|to (?:be|equal|contain|match|eq))\b/,
  /\b(?:got|actual|received)\b[\s\S]{0,300}\b(?:expected|want(?:ed)?)\b|\bwant(?:ed)?\b[\s\S]{0,200}\bgot\b/,
  /\bassertion\b.{0,300}\bfailed\b|\bFailed asserting\b/,
  /^\s*left: [\s\S]{0,300}^\s*right: /m,
);
/** Words of the runtimes that raise the generic classes themselves. */
const RUNTIME_WORDS = anyOf(
  '',
  /^runtime error: |^assignment to entry in nil map|^interface conversion|^send on closed|^close of |^all goroutines|^concurrent map|^reflect: |^sync: /,
  /^called `(?:Option|Result)::|^index out of bounds|^attempt to |^already (?:mutably )?borrowed|^(?:slice|range) /,
  /^Call to (?:a member|an? un|undefined|private|protected)|^Undefined |^Cannot |^Class "|must be of type|^Too few arguments|^Unknown named/,
  /can't modify frozen|Can't (?:locate|call|use|modify|find)|Not an? \w+ reference|^Use of uninitialized|^syntax error|isn't numeric|^Modification of|^Undefined subroutine|^Illegal|^Global symbol|^Bareword/,
);
/** An error that another package of Go words, which the program passes on: `load rows: json: unknown field`. */
const GO_PREFIX = /(?:^|: )[a-z]\w{1,20}: /;
/** The functions of Lua by which a program raises an error. */
const LUA_RAISE = /^\s*\[C\]: in (?:function )?'(?:error|assert)'/;
/** Errors of values of another type, absent, or out of bounds. */
const VALUE_ERROR = anyOf(
  '',
  /^(?:TypeError|AttributeError|KeyError|IndexError|NoMethodError|(?:java\.lang\.)?(?:NullPointerException|ClassCastException|\w*OutOfBoundsException)|System\.(?:NullReference|InvalidCast|IndexOutOfRange)Exception|Fatal error)\b/,
  /interface conversion|nil pointer dereference|index out of range|Can't (?:call method|use (?:an undefined value|string))|Not an? \w+ reference/,
  /attempt to (?:call|index|perform arithmetic on|concatenate|compare|get length of) (?:an? |two |number|string|table|nil)/,
  /^(?:Warning|Notice|Error): .{0,20}(?:Undefined (?:array key|property|index|offset)|Trying to|Attempt to read|Array to string|Call to (?:a member|undefined method))/,
);

/** Code of a caller that does not compile, since it uses what a library declares in another way. */
const COMPILE_ERROR = anyOf(
  '',
  /^(?:error|TS\d{4}|E0\d{3}|CS\d{4,5}): (?:cannot find symbol|incompatible types|unreported exception|no suitable \w+ found|\w+ has private access|method \S+ in \w+ \S+ cannot be applied|.{0,120}is not abstract and does not override)/,
  /^TS\d{4}: (?:Property '.{1,80}' does not exist on type|Argument of type|Type '.{1,200}' is not assignable|Expected \d+ arguments?|Module '.{1,80}' has no exported member|No overload matches)/,
  /^(?:error|E0\d{3}): (?:no (?:method|field|function or associated item|variant).{0,20} \S+ found|mismatched types|this (?:function|method) takes|unresolved import|missing (?:field|lifetime))/,
  /^error: (?:undefined: \w+\.\w+|\S{1,80} undefined \(type .{1,120} has no field or method|not enough arguments in call|too many arguments in call|cannot use .{1,200} as .{1,80} value in|unknown field \S+ in struct literal)/,
  /^CS\d{4,5}: .{0,200}(?:does not contain a definition|cannot convert from|No overload for method)/,
);

/** Finds the failure of a caller's own code; null where another program, the runtime or the project failed. */
export function findCallerFailure(trace: Trace, owners: readonly FrameOwner[]): CallerFailure | null {
  const isOwnCode =
    owners[0] === 'outside' && owners.every((owner) => owner === 'outside' || owner === 'runtime');
  if (!isOwnCode || trace.language === null || failsInBuiltIn(trace)) return null;
  if (isCheck(trace, trace.language)) return 'check';
  const error = `${trace.errorType}: ${trace.message}`;
  return VALUE_ERROR.test(error) || COMPILE_ERROR.test(error) ? 'value' : null;
}

function isCheck({ errorType, message, frames, lines }: Trace, language: TraceLanguage): boolean {
  const name = errorType?.split(/[.:\\]+/).at(-1) ?? '';
  if (RUNTIME_WORDS.test(message)) return false;
  // A failed test of Go reports with a prefix as errors do.
  if (language === 'go' && errorType !== 'FAIL' && GO_PREFIX.test(message)) return false;
  if (EXPECTATION.test(message)) return true;
  if (language === 'go' && GO_PREFIX.test(message)) return false;
  const text = frames[0]?.text;
  const isGeneric =
    GENERIC_CLASS.test(name) ||
    (language === 'perl' && errorType === null) ||
    (language === 'lua' && lines.some((line) => LUA_RAISE.test(line)));
  return isGeneric && (text === undefined || RAISING_LINE.test(text));
}

/** A result beside the expected one, in a text of any form: two values, a failed point of TAP, a removed and an added line. */
const COMPARISON = anyOf(
  'im',
  /\b(?:expected|want(?:ed)?|should (?:be|have been|read))\b[\s\S]{0,300}?\b(?:got|actual(?:ly)?|received|found|instead)\b/,
  /\b(?:got|actual|received|found)\b[\s\S]{0,300}?\b(?:expected|want(?:ed)?)\b/,
  /^not ok\b/,
  /^-(?!-).*\n\+(?!\+)/,
  /\(was \S[^)\n]{0,200}\)/,
);
const MAX_COMPARED_LENGTH = 4_000;

/** True for a text without a trace that prints a result beside the expected one. */
export function printsComparison({ language, lines }: Trace): boolean {
  return language === null && COMPARISON.test(lines.join('\n').slice(0, MAX_COMPARED_LENGTH));
}
