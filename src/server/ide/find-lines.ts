import type { FoundLine } from '#contract/ide.ts';
import { grep } from '#git/grep.ts';
import { compilePathPatterns } from '#git/path-patterns.ts';

const MAX_LINES = 2_000;
const TIMEOUT_MS = 8_000;

/** Text to find, and the files in which. */
interface LineSearch {
  q: string;
  match: 'text' | 'regex';
  ignoreCase: boolean;
  wholeWord: boolean;
  /** Patterns with commas between them; all files, or no file, when empty. */
  include: string;
  exclude: string;
}

/** Lines of the text files of a commit that match, as far as they are found in time. */
export async function findLines(
  repo: string,
  commit: string,
  { q, match, ignoreCase, wholeWord, include, exclude }: LineSearch,
  signal: AbortSignal,
): Promise<{ lines: FoundLine[]; partial: boolean }> {
  const [included, excluded] = [compilePatterns(include), compilePatterns(exclude)];
  const accept = (path: string) => (included?.(path) ?? true) && !excluded?.(path);
  const pattern = match === 'regex' ? { regex: toPosix(q) } : { fixed: [q] };
  const started = performance.now();
  const options = { maxMatches: MAX_LINES, timeoutMs: TIMEOUT_MS, accept, ignoreCase, wholeWord, signal };
  const lines = await grep(repo, commit, pattern, options);
  return { lines, partial: lines.length === MAX_LINES || performance.now() - started >= TIMEOUT_MS };
}

function compilePatterns(text: string) {
  const patterns = text.split(',').filter((pattern) => pattern.trim() !== '');
  return patterns.length === 0 ? null : compilePathPatterns(patterns);
}

/** Writes the classes of JavaScript that POSIX lacks in its way. */
function toPosix(regex: string): string {
  const classes: Record<string, string> = { d: '0-9', D: '^0-9' };
  return regex.replace(/\\(.)/gs, (text, character: string) =>
    classes[character] ? `[${classes[character]}]` : text,
  );
}
