/**
 * A POSIX extended regular expression with GNU extensions, as `git grep -E` reads it, byte by byte:
 *
 *   expression = branch ("|" branch)*          branch = (atom repeat*)*
 *   repeat     = "*" | "+" | "?" | "{" [min] ["," [max]] "}"
 *   atom       = "(" expression ")" | "[" ["^"] … "]" | "." | "^" | "$" | "\" byte | byte
 */
export type Regex =
  | { kind: 'set'; bytes: ByteSet }
  | { kind: 'sequence' | 'choice'; parts: Regex[] }
  | { kind: 'repeat'; part: Regex; min: number; max: number }
  | { kind: 'assertion'; holds: Assertion }
  /** Matches anything: a back reference, or syntax that this parser does not support. */
  | { kind: 'unknown' };

/** 1 at the index of each byte that is a member. */
export type ByteSet = Uint8Array;

/** Ends of a line (`^` and `$`) and of words (`\b`, `\B`, `\<` and `\>`). */
export type Assertion = 'lineStart' | 'lineEnd' | 'boundary' | 'noBoundary' | 'wordStart' | 'wordEnd';

const MAX_DEPTH = 50;
const MAX_LENGTH = 500;
const LF = 10;

/** Thrown inside this file for syntax that it does not support. */
class UnsupportedSyntax extends Error {}

interface RegexOptions {
  /** Also reads `\d`, `\D`, groups `(?:…)`, and `(?i)` at the beginning, which git does not. */
  hasExtensions?: boolean;
}

/** Parses an expression given as Latin-1 characters. Unsupported syntax becomes `unknown`, never an error. */
export function parseRegex(source: string, { hasExtensions = false }: RegexOptions = {}): Regex {
  if (source.length > MAX_LENGTH) return { kind: 'unknown' };
  try {
    return new Parser(source, hasExtensions).parse();
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return { kind: 'unknown' };
    throw error;
  }
}

class Parser {
  readonly #source: string;
  readonly #hasExtensions: boolean;
  readonly #ignoresCase: boolean;
  #at = 0;

  constructor(source: string, hasExtensions: boolean) {
    this.#source = source;
    this.#hasExtensions = hasExtensions;
    this.#ignoresCase = hasExtensions && this.#take('(?i)');
  }

  parse(): Regex {
    const parsed = this.#choice(0);
    // An unmatched closing bracket is a literal or an error, depending on git.
    if (this.#at < this.#source.length) throw new UnsupportedSyntax();
    return parsed;
  }

  #choice(depth: number): Regex {
    if (depth > MAX_DEPTH) throw new UnsupportedSyntax();
    const parts = [this.#branch(depth)];
    while (this.#take('|')) parts.push(this.#branch(depth));
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #branch(depth: number): Regex {
    const parts: Regex[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) {
      let atom = this.#atom(depth);
      for (let times = this.#repeat(); times !== null; times = this.#repeat()) {
        atom = { kind: 'repeat', part: atom, ...times };
      }
      parts.push(atom);
    }
    return { kind: 'sequence', parts };
  }

  #take(text: string): boolean {
    const isThere = this.#source.startsWith(text, this.#at);
    if (isThere) this.#at += text.length;
    return isThere;
  }

  /** Repetitions of the previous atom; null without a quantifier. */
  #repeat(): { min: number; max: number } | null {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    const braces = /^\{(\d*)(,?)(\d*)\}/.exec(this.#source.slice(this.#at, this.#at + 16));
    if (braces === null) return null;
    this.#at += braces[0].length;
    const [min, comma, max] = [Number(braces[1]), braces[2], braces[3]];
    const most = comma === '' ? min : max === '' ? Number.POSITIVE_INFINITY : Number(max);
    if (most < min) throw new UnsupportedSyntax();
    return { min, max: most };
  }

  #atom(depth: number): Regex {
    const byte = this.#source[this.#at++]!;
    if (byte === '(') {
      if (this.#hasExtensions) this.#take('?:');
      const inner = this.#choice(depth + 1);
      if (!this.#take(')')) throw new UnsupportedSyntax();
      return inner;
    }
    if (byte === '[') return this.#class();
    if (byte === '.') return this.#set(() => true);
    if (byte === '^' || byte === '$')
      return { kind: 'assertion', holds: byte === '^' ? 'lineStart' : 'lineEnd' };
    if (byte === '\\') return this.#escape();
    // Dialects differ in where these are literals.
    if ('*+?{'.includes(byte)) throw new UnsupportedSyntax();
    return this.#literal(byte);
  }

  #escape(): Regex {
    const byte = this.#source[this.#at++];
    if (byte === undefined) throw new UnsupportedSyntax();
    const holds = ESCAPED_ASSERTIONS[byte];
    if (holds) return { kind: 'assertion', holds };
    const test = ESCAPED_SETS[byte.toLowerCase()];
    if (test && (this.#hasExtensions || byte.toLowerCase() !== 'd')) {
      const isInverted = byte !== byte.toLowerCase();
      return this.#set((one) => test(one) !== isInverted);
    }
    if (/[0-9A-Za-z`']/.test(byte)) return { kind: 'unknown' };
    return this.#literal(byte);
  }

  /** Parses a class after its `[`. The first byte, and the first after `^`, may be `]`. */
  #class(): Regex {
    const isInverted = this.#take('^');
    const bytes = new Uint8Array(256);
    for (let isFirst = true; isFirst || this.#source[this.#at] !== ']'; isFirst = false) {
      const from = this.#source[this.#at++];
      if (from === undefined) throw new UnsupportedSyntax();
      if (from === '[' && /[:.=]/.test(this.#source[this.#at] ?? '')) {
        const test = this.#namedClass();
        for (let code = 0; code < 256; code++) if (test(code)) bytes[code] = 1;
        continue;
      }
      let to = from;
      if (this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']') {
        this.#at++;
        to = this.#source[this.#at++] ?? '';
        if (to === '[' || to < from) throw new UnsupportedSyntax();
      }
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) bytes[code] = 1;
    }
    this.#at++;
    return this.#set((code) => bytes[code] === 1, isInverted);
  }

  /** Parses a class such as `[:alpha:]` after its `[`. */
  #namedClass(): (byte: number) => boolean {
    const name = /^:([a-z]+):\]/.exec(this.#source.slice(this.#at, this.#at + 16));
    const pattern = name && NAMED_CLASSES[name[1]!];
    if (!pattern) throw new UnsupportedSyntax();
    this.#at += name[0].length;
    return (byte) => pattern.test(String.fromCharCode(byte));
  }

  #literal(byte: string): Regex {
    const code = byte.charCodeAt(0);
    return this.#set((one) => one === code);
  }

  /** Bytes that a test accepts, in both cases where case is ignored. A line feed is never one: lines are searched. */
  #set(test: (byte: number) => boolean, isInverted = false): Regex {
    const accepts = (byte: number) =>
      test(byte) || (this.#ignoresCase && isLetter(byte) && test(byte ^ CASE_BIT));
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) =>
      byte !== LF && accepts(byte) !== isInverted ? 1 : 0,
    );
    return { kind: 'set', bytes };
  }
}

const CASE_BIT = 32;
const isLetter = (byte: number) => (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);

/** True for ASCII letters, digits and `_`. */
export const isWordByte = (byte: number) => isLetter(byte) || (byte >= 48 && byte <= 57) || byte === 95;

const ESCAPED_ASSERTIONS: Readonly<Record<string, Assertion>> = {
  b: 'boundary',
  B: 'noBoundary',
  '<': 'wordStart',
  '>': 'wordEnd',
};

const ESCAPED_SETS: Readonly<Record<string, (byte: number) => boolean>> = {
  w: isWordByte,
  s: (byte) => byte === 32 || (byte >= 9 && byte <= 13),
  d: (byte) => byte >= 48 && byte <= 57,
};

const NAMED_CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  alnum: /[0-9A-Za-z]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /[ \t-\r]/,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  print: /[ -~]/,
  graph: /[!-~]/,
  xdigit: /[0-9A-Fa-f]/,
};
