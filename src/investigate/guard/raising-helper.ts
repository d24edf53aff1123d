import { findEnclosingFunction } from '../locate/enclosing-function.ts';
import type { Trace } from '../trace/trace.ts';

const RAISE = /^\s*(?:throw|raise|die|panic|croak)\b/;

/**
 * True when the function of the innermost frame raises an error in this file: `fail(7)` of one that looks its words up in a table
 * beside it, so that neither its own statement nor that of its caller has them.
 */
export function hasRaisingHelper(lines: readonly string[], { frames: [innermost] }: Trace): boolean {
  const name = innermost?.symbol?.split(/[.#:\\]+/).at(-1);
  if (!name) return false;
  return lines.some((text, at) => RAISE.test(text) && findEnclosingFunction(lines, at + 1)?.name === name);
}
