import { type Assertion, isWordByte } from '#memory/index/trigrams/regex-parser.ts';
import type { RegexProgram } from './regex-program.ts';

const LF = 10;
/** Neighbor of a position: the end of a line, a byte of a word, or another byte. */
type Side = 'line' | 'word' | 'other';

const ASSERTIONS: Readonly<Record<Assertion, (before: Side, after: Side) => boolean>> = {
  lineStart: (before) => before === 'line',
  lineEnd: (_, after) => after === 'line',
  boundary: (before, after) => (before === 'word') !== (after === 'word'),
  noBoundary: (before, after) => (before === 'word') === (after === 'word'),
  wordStart: (before, after) => before !== 'word' && after === 'word',
  wordEnd: (before, after) => before === 'word' && after !== 'word',
};

/** Steps that are tried at a position, and the neighbor before it. */
interface State {
  readonly steps: readonly number[];
  readonly before: Side;
}

/** Entries that an automaton builds in all; each takes some microseconds. */
const MAX_BUILDS = 20_000;

/** Thrown for an expression whose automaton keeps growing over the searched bytes. */
export class ExpressionTooCostly extends Error {}

/** States that are kept before all are forgotten, so that memory stays bounded. */
const MAX_STATES = 1_000;
const DEAD = 0;
const START = 1;

/**
 * Runs a program over bytes, line by line, in time proportional to their number: states of the deterministic automaton are
 * built when a byte first leads to them. Source: Russ Cox, "Regular Expression Matching: the Virtual Machine Approach", 2009.
 */
export class LazyAutomaton {
  readonly #program: RegexProgram;
  readonly #isAnchored: boolean;
  /** Class of each byte: bytes of a class are members of the same sets. */
  readonly #classOf: Uint8Array;
  /** A byte of each class. */
  readonly #examples: readonly number[];
  #builds = 0;
  #states: State[] = [];
  #numbers = new Map<string, number>();
  /** By state and class: twice the next state, plus one where a match ends before the byte; -1 before it is built. */
  #table = new Int32Array(0);

  /** `isAnchored`: matches begin where a search begins; otherwise anywhere in a line. */
  constructor(program: RegexProgram, { isAnchored }: { isAnchored: boolean }) {
    this.#program = program;
    this.#isAnchored = isAnchored;
    [this.#classOf, this.#examples] = classifyBytes(program);
    this.#reset();
  }

  /** End of the first match at or after `from`, a line's start: its earliest end; -1 where there is none before `to`. */
  findFirstEnd(bytes: Uint8Array, from: number, to: number): number {
    const [classOf, classes] = [this.#classOf, this.#examples.length];
    let state = START;
    for (let at = from; at < to; at++) {
      const known = this.#table[state * classes + classOf[bytes[at]!]!]!;
      const next = known >= 0 ? known : this.#build(state, classOf[bytes[at]!]!);
      if (next & 1) return at;
      state = next >> 1;
    }
    const isAfterLineEnd = to === 0 || bytes[to - 1] === LF;
    return !isAfterLineEnd && this.#build(state, classOf[LF]!) & 1 ? to : -1;
  }

  /** End of the longest match in a line that begins exactly at `from`; -1 where none does. */
  findLongestEnd(line: Uint8Array, from: number): number {
    const classOf = this.#classOf;
    let state = from === 0 ? START : this.#stateAt(line[from - 1]!);
    let end = -1;
    for (let at = from; at <= line.length && state !== DEAD; at++) {
      const next = this.#build(state, classOf[line[at] ?? LF]!);
      if (next & 1) end = at;
      state = next >> 1;
    }
    return end;
  }

  #stateAt(before: number): number {
    return this.#number({ steps: [this.#program.start], before: sideOf(before) });
  }

  #reset(): void {
    this.#states = [];
    this.#numbers.clear();
    this.#table = new Int32Array(0);
    this.#number({ steps: [], before: 'other' });
    this.#number({ steps: [this.#program.start], before: 'line' });
  }

  #number(state: State): number {
    // Without steps, the neighbor makes no difference.
    const key = state.steps.length === 0 ? '' : `${state.before} ${state.steps.join(' ')}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.push(state) - 1;
    this.#numbers.set(key, number);
    const needed = this.#states.length * this.#examples.length;
    if (needed > this.#table.length) {
      const larger = new Int32Array(2 * needed).fill(-1);
      larger.set(this.#table);
      this.#table = larger;
    }
    return number;
  }

  /** Entry of the table for a state and a class of bytes. */
  #build(from: number, byteClass: number): number {
    const classes = this.#examples.length;
    const known = this.#table[from * classes + byteClass]!;
    if (known >= 0) return known;
    if (++this.#builds > MAX_BUILDS) throw new ExpressionTooCostly();
    const { steps, before } = this.#states[from]!;
    const byte = this.#examples[byteClass]!;
    const { sets, isMatch } = this.#follow(steps, before, sideOf(byte));
    const entry = (next: number) => 2 * next + Number(isMatch);
    if (byte === LF) return this.#store(from, byteClass, entry(this.#isAnchored ? DEAD : START));
    const next = new Set<number>();
    for (const number of sets) {
      const step = this.#program.steps[number]!;
      if (step.kind === 'set' && step.bytes[byte] === 1) next.add(step.next);
    }
    if (!this.#isAnchored) next.add(this.#program.start);
    if (this.#states.length >= MAX_STATES) {
      this.#reset();
      return entry(this.#number({ steps: sorted(next), before: sideOf(byte) }));
    }
    return this.#store(from, byteClass, entry(this.#number({ steps: sorted(next), before: sideOf(byte) })));
  }

  #store(from: number, byteClass: number, entry: number): number {
    this.#table[from * this.#examples.length + byteClass] = entry;
    return entry;
  }

  /** Steps that take a byte, reached from `steps` without one, and true where the end of the expression is among them. */
  #follow(steps: readonly number[], before: Side, after: Side): { sets: number[]; isMatch: boolean } {
    const seen = new Set(steps);
    const sets: number[] = [];
    let isMatch = false;
    // A set iterates over members that are added meanwhile.
    for (const number of seen) {
      const step = this.#program.steps[number]!;
      if (step.kind === 'match') isMatch = true;
      else if (step.kind === 'set') sets.push(number);
      else if (step.kind === 'split') for (const next of step.next) seen.add(next);
      else if (ASSERTIONS[step.holds](before, after)) seen.add(step.next);
    }
    return { sets, isMatch };
  }
}

const sorted = (numbers: Iterable<number>) => Array.from(numbers).sort((a, b) => a - b);

const sideOf = (byte: number): Side => (byte === LF ? 'line' : isWordByte(byte) ? 'word' : 'other');

/** Divides the bytes into classes that no set of the program tells apart, with an example of each. */
function classifyBytes({ steps }: RegexProgram): [classOf: Uint8Array, examples: number[]] {
  const sets = steps.flatMap((step) => (step.kind === 'set' ? [step.bytes] : []));
  const classOf = new Uint8Array(256);
  const examples: number[] = [];
  const numbers = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    const key = sideOf(byte) + sets.map((set) => set[byte]).join('');
    let number = numbers.get(key);
    if (number === undefined) {
      number = examples.push(byte) - 1;
      numbers.set(key, number);
    }
    classOf[byte] = number;
  }
  return [classOf, examples];
}
