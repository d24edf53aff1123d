/** Lines above a statement in which its function's header is looked for. */
const MAX_FUNCTION_LINES = 120;
/** Lines of a header below its first. */
const MAX_HEADER_LINES = 12;

const HEADER =
  /^\s*(?:(?:export|default|public|private|protected|static|async|pub|final|override)\s+)*(?:def|function\*?|func|fn)\s*(?:\([^)]*\)\s*)?[\w$.!?]*\s*\(([^)]*)\)?|^\s*[\w$.]+\s*[:=]\s*(?:async\s+)?function\s*[\w$]*\s*\(([^)]*)\)|^\s{2,}(?:async\s+|static\s+)?(?!if|for|while|switch|catch|return)[\w$]+\(([^)]*)\)\s*\{\s*$/;
const RECEIVERS = new Set(['self', 'cls', 'this', 'None', 'True', 'False']);

/** True when a line uses a parameter of the function around it. */
export function usesParameter(lines: readonly string[], line: number): boolean {
  const text = lines[line - 1] ?? '';
  return parametersAbove(lines, line).some((name) =>
    new RegExp(`(?<![\\w.$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text),
  );
}

function parametersAbove(lines: readonly string[], line: number): string[] {
  for (let at = line - 1; at >= Math.max(1, line - MAX_FUNCTION_LINES); at--) {
    const match = HEADER.exec(lines[at - 1]!);
    if (!match) continue;
    const inline = match[1] ?? match[2] ?? match[3] ?? '';
    const below =
      inline.trim() === '' ? lines.slice(at, Math.min(at + MAX_HEADER_LINES, line - 1)).join(' ') : inline;
    return [...below.matchAll(/(?:^|[,{(*&]\s*|\s)([A-Za-z_$][\w$]*)(?=\s*(?:[:,=)}?]|$))/g)]
      .map(([, name]) => name!)
      .filter((name) => !RECEIVERS.has(name));
  }
  return [];
}
