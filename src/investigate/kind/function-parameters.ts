import { findEnclosingFunction } from '../locate/enclosing-function.ts';
import { lackedMember } from '../trace/lacked-member.ts';

/** True when a line uses a parameter of the function around it. */
export function usesParameter(lines: readonly string[], line: number): boolean {
  const text = lines[line - 1] ?? '';
  return parametersAbove(lines, line).some((name) =>
    new RegExp(`(?<![\\w.$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text),
  );
}

/** The absent value itself, as Java names it. */
const ABSENT_VALUE = /because (?:(the return value of )?"([\w$]+)[^"]{0,200}") is null/;
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
  const absent = ABSENT_VALUE.exec(message);
  if (absent?.[1]) return 'local';
  if (absent) return sourceOfName(lines, line, absent[2]!);
  const member = lackedMember(message);
  if (!member) return null;
  const escaped = member.replace(/[?!$]/g, '\\$&');
  const access = new RegExp(`([\\w$@][\\w$@.]{0,80}?)(?:\\?|&)?\\.${escaped}(?![\\w$])`);
  const root = access.exec(lines[line - 1] ?? '')?.[1]?.split('.')[0];
  return root ? sourceOfName(lines, line, root) : null;
}

function sourceOfName(lines: readonly string[], line: number, name: string) {
  if (OWN_STATE.test(name)) return 'state';
  const isParameter = parametersAbove(lines, line).includes(name);
  return isParameter && !isAssignedAbove(lines, line, name) ? 'parameter' : 'local';
}

/** Lines above a use in which a parameter may get what another function computed. */
const MAX_ASSIGNMENT_DISTANCE = 12;

/** True when a parameter gets the result of a call before a line, in the same function. */
function isAssignedAbove(lines: readonly string[], line: number, name: string): boolean {
  const assignment = new RegExp(`^\\s*${name.replaceAll('$', '\\$')}\\s*=\\s*(?:await\\s+)?[\\w$.:>-]+\\(`);
  for (let at = line - 1; at >= Math.max(1, line - MAX_ASSIGNMENT_DISTANCE); at--) {
    const text = lines[at - 1]!;
    if (assignment.test(text)) return true;
    if (/^\s*(?:def|function|func|fn|sub)\b|^\S/.test(text)) return false;
  }
  return false;
}

function parametersAbove(lines: readonly string[], line: number): string[] {
  return findEnclosingFunction(lines, line)?.parameters.flat() ?? [];
}
