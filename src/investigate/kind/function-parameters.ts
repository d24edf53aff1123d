import { findEnclosingFunction } from '../locate/enclosing-function.ts';

/** True when a line uses a parameter of the function around it. */
export function usesParameter(lines: readonly string[], line: number): boolean {
  const text = lines[line - 1] ?? '';
  return parametersAbove(lines, line).some((name) =>
    new RegExp(`(?<![\\w.$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text),
  );
}

/** Member that an absent value lacks, in the words of the runtimes. */
const LACKED_MEMBER =
  /\(reading '([\w$]+)'\)|has no attribute '(\w+)'|undefined method [`']([\w?!]+)'|Cannot read property '([\w$]+)'/;
const OWN_STATE = /^(?:this|self|cls|super|@.*)$/;

/**
 * Source of the value whose member an error could not find on a line: a parameter, the state of the function's own object, or
 * a local value, which the function computed itself. Null where the line does not tell.
 */
export function sourceOfValue(
  lines: readonly string[],
  line: number,
  message: string,
): 'parameter' | 'state' | 'local' | null {
  const member = LACKED_MEMBER.exec(message)
    ?.slice(1)
    .find((name) => name !== undefined);
  if (!member) return null;
  const escaped = member.replace(/[?!$]/g, '\\$&');
  const access = new RegExp(`([\\w$@][\\w$@.]{0,80}?)(?:\\?|&)?\\.${escaped}(?![\\w$])`);
  const root = access.exec(lines[line - 1] ?? '')?.[1]?.split('.')[0];
  if (!root) return null;
  if (OWN_STATE.test(root)) return 'state';
  return parametersAbove(lines, line).includes(root) ? 'parameter' : 'local';
}

function parametersAbove(lines: readonly string[], line: number): string[] {
  return findEnclosingFunction(lines, line)?.parameters.flat() ?? [];
}
