import type { Assertion, ByteSet, Regex } from '#memory/index/trigrams/regex-parser.ts';

/** A step of a program; `next` are numbers of steps. */
type Step =
  | { kind: 'set'; bytes: ByteSet; next: number }
  | { kind: 'split'; next: readonly number[] }
  | { kind: 'assertion'; holds: Assertion; next: number }
  | { kind: 'match' };

/** A nondeterministic automaton, as Thompson builds it from a regular expression. */
export interface RegexProgram {
  readonly steps: readonly Step[];
  readonly start: number;
}

/** Counted repetitions multiply; a step costs time for each byte in the worst case. */
const MAX_STEPS = 500;

class TooManySteps extends Error {}

/** Compiles an expression; null for one with syntax that cannot be matched in linear time, or that becomes too large. */
export function compileProgram(regex: Regex): RegexProgram | null {
  if (hasUnknown(regex)) return null;
  const steps: Step[] = [{ kind: 'match' }];
  try {
    return { steps, start: addSteps(steps, regex, 0) };
  } catch (error) {
    if (error instanceof TooManySteps) return null;
    throw error;
  }
}

function hasUnknown(regex: Regex): boolean {
  if (regex.kind === 'unknown') return true;
  if (regex.kind === 'repeat') return hasUnknown(regex.part);
  return 'parts' in regex && regex.parts.some(hasUnknown);
}

/** Adds the steps of an expression that go on at `next`, and returns the first. */
function addSteps(steps: Step[], regex: Regex, next: number): number {
  switch (regex.kind) {
    case 'set':
      return push(steps, { kind: 'set', bytes: regex.bytes, next });
    case 'assertion':
      return push(steps, { kind: 'assertion', holds: regex.holds, next });
    case 'sequence':
      return regex.parts.reduceRight((after, part) => addSteps(steps, part, after), next);
    case 'choice':
      return push(steps, { kind: 'split', next: regex.parts.map((part) => addSteps(steps, part, next)) });
    case 'repeat':
      return addRepetition(steps, regex, next);
    case 'unknown':
      throw new Error('An unknown expression has no steps.');
  }
}

function addRepetition(
  steps: Step[],
  { part, min, max }: Extract<Regex, { kind: 'repeat' }>,
  next: number,
): number {
  let after = next;
  if (max === Number.POSITIVE_INFINITY) {
    const loop = push(steps, { kind: 'split', next: [] });
    steps[loop] = { kind: 'split', next: [addSteps(steps, part, loop), next] };
    after = loop;
  } else {
    for (let time = min; time < max; time++)
      after = push(steps, { kind: 'split', next: [addSteps(steps, part, after), next] });
  }
  for (let time = 0; time < min; time++) after = addSteps(steps, part, after);
  return after;
}

function push(steps: Step[], step: Step): number {
  if (steps.length >= MAX_STEPS) throw new TooManySteps();
  return steps.push(step) - 1;
}
