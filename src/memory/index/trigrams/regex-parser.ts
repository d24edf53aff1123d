/**
 * A POSIX extended regular expression with GNU extensions, as `git grep -E` reads it, byte by byte:
 *
 *   expression = branch ("|" branch)*          branch = (atom repeat*)*
 *   repeat     = "*" | "+" | "?" | "{" [min] ["," [max]] "}"
 *   atom       = "(" expression ")" | "[" ["^"] … "]" | "." | "^" | "$" | "\" byte | byte
 */
export type Regex =
  /** One of these bytes; null is any byte. ASCII letters are in lower case. */
  | { kind: 'byte'; bytes: number[] | null }
  | { kind: 'sequence' | 'choice'; parts: Regex[] }
  /** At least `min` times, 0 or 1. */
  | { kind: 'repeat'; part: Regex; min: number }
  /** Matches anything: a back reference, or syntax that this parser does not support. */
  | { kind: 'unknown' };

/** Larger classes are treated as any byte: they exclude too little. */
const MAX_CLASS_BYTES = 6;
const MAX_DEPTH = 50;
const MAX_LENGTH = 500;
const ANY: Regex = { kind: 'byte', bytes: null };
const EMPTY: Regex = { kind: 'sequence', parts: [] };

/** Thrown inside this file for syntax that it does not support. */
class UnsupportedSyntax extends Error {}

/** Parses an expression given as Latin-1 characters. Unsupported syntax becomes `unknown`, never an error. */
export function parseRegex(source: string): Regex {
  if (source.length > MAX_LENGTH) return { kind: 'unknown' };
  try {
    return new Parser(source).parse();
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return { kind: 'unknown' };
    throw error;
  }
}

class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
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
      for (let min = this.#repeat(); min !== null; min = this.#repeat()) {
        atom = { kind: 'repeat', part: atom, min: Math.min(min, 1) };
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

  /** Minimum repetitions of the previous atom; null without a quantifier. */
  #repeat(): number | null {
    if (this.#take('*') || this.#take('?')) return 0;
    if (this.#take('+')) return 1;
    const braces = /^\{(\d*)(?:,\d*)?\}/.exec(this.#source.slice(this.#at, this.#at + 16));
    if (braces === null) return null;
    this.#at += braces[0].length;
    return Number(braces[1]);
  }

  #atom(depth: number): Regex {
    const byte = this.#source[this.#at++]!;
    if (byte === '(') {
      const inner = this.#choice(depth + 1);
      if (!this.#take(')')) throw new UnsupportedSyntax();
      return inner;
    }
    if (byte === '[') return this.#class();
    if (byte === '.') return ANY;
    if (byte === '^' || byte === '$') return EMPTY;
    if (byte === '\\') return this.#escape();
    // Dialects differ in where these are literals.
    if ('*+?{'.includes(byte)) throw new UnsupportedSyntax();
    return literal(byte);
  }

  #escape(): Regex {
    const byte = this.#source[this.#at++];
    if (byte === undefined) throw new UnsupportedSyntax();
    if ("bB<>`'".includes(byte)) return EMPTY;
    if ('wWsS'.includes(byte)) return ANY;
    if (/[0-9A-Za-z]/.test(byte)) return { kind: 'unknown' };
    return literal(byte);
  }

  /** Parses a class after its `[`. The first byte, and the first after `^`, may be `]`. */
  #class(): Regex {
    const isInverted = this.#take('^');
    const bytes = new Set<number>();
    for (let isFirst = true; isFirst || this.#source[this.#at] !== ']'; isFirst = false) {
      const from = this.#source[this.#at++];
      if (from === undefined || (from === '[' && /[:.=]/.test(this.#source[this.#at] ?? ''))) {
        return this.#skipClass();
      }
      let to = from;
      if (this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']') {
        this.#at++;
        to = this.#source[this.#at++] ?? '';
        if (to === '' || to === '[') throw new UnsupportedSyntax();
      }
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) bytes.add(lowerCaseByte(code));
    }
    this.#at++;
    return isInverted || bytes.size > MAX_CLASS_BYTES ? ANY : { kind: 'byte', bytes: [...bytes] };
  }

  /** Skips the rest of a class with `[:alpha:]` and the like: any byte. */
  #skipClass(): Regex {
    const rest = /^[:.=].*?[:.=]\](?:\[[:.=].*?[:.=]\]|[^\]])*\]/s.exec(this.#source.slice(this.#at));
    if (rest === null) throw new UnsupportedSyntax();
    this.#at += rest[0].length;
    return ANY;
  }
}

const literal = (byte: string): Regex => ({ kind: 'byte', bytes: [lowerCaseByte(byte.charCodeAt(0))] });
const lowerCaseByte = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);
