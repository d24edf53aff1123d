/** Lines above a statement in which its function's header is looked for. */
const MAX_FUNCTION_LINES = 120;
/** Lines of a header below its first. */
const MAX_HEADER_LINES = 12;

const HEADER =
  /^\s*(?:(?:export|default|public|private|protected|static|async|pub|final|override)\s+)*(?:def|function\*?|func|fn)\s*(?:\([^)]*\)\s*)?[\w$.!?]*\s*\(([^)]*)\)?|^\s*[\w$.]+\s*[:=]\s*(?:async\s+)?function\s*[\w$]*\s*\(([^)]*)\)?|^\s{2,}(?:async\s+|static\s+)?(?!if|for|while|switch|catch|return)[\w$]+\(([^)]*)\)\s*\{\s*$/;
const RECEIVERS = new Set(['self', 'cls', 'this', 'None', 'True', 'False']);

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
  for (let at = line - 1; at >= Math.max(1, line - MAX_FUNCTION_LINES); at--) {
    const match = HEADER.exec(lines[at - 1]!);
    if (!match) continue;
    const inline = match[1] ?? match[2] ?? match[3] ?? '';
    const below =
      inline.trim() === '' ? lines.slice(at, Math.min(at + MAX_HEADER_LINES, line - 1)).join(' ') : inline;
    return [
      ...below.matchAll(
        /(?:^|[,{(*&]\s*|\s)([A-Za-z_$][\w$]*)(?=\s*(?:[:,=)}?]|$)|\s+[\w*.[\]]+\s*(?:,|$))/g,
      ),
    ]
      .map(([, name]) => name!)
      .filter((name) => !RECEIVERS.has(name));
  }
  return [];
}
