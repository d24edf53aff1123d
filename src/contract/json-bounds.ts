import { AppError, type ErrorKey } from './errors.ts';

/** Exceeds the depth of any body of the contract. */
const MAX_DEPTH = 64;
/** Values and keys of one body; each takes many times its bytes once parsed. */
const MAX_VALUES = 100_000;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Throws `invalid_input` for JSON that would expand when parsed; checks the text in one pass before parsing. */
export function checkJsonBounds(text: string): void {
  let [depth, values, inString] = [0, 0, false];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
      continue;
    }
    if (code === QUOTE) inString = true;
    else if (code === COMMA || code === COLON) values += 1;
    else if (OPENING.has(code)) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) throw tooComplex('body_too_deep', MAX_DEPTH);
    } else if (CLOSING.has(code)) depth -= 1;
    if (values > MAX_VALUES) throw tooComplex('body_too_many_values', MAX_VALUES);
  }
}

function tooComplex(messageKey: ErrorKey, limit: number): AppError {
  return new AppError('invalid_input', messageKey, {
    params: { limit },
    reason: 'too_complex',
  });
}
