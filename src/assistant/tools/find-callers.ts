import { type Impact, MAX_CALLERS } from '#contract/impact.ts';
import { isReadableCode } from '#evolution/code-paths.ts';
import { isTestFile } from '#evolution/covering-tests.ts';
import { isCommentOnly } from '#evolution/hunk-text.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { findText } from './find-text.ts';
import type { ToolContext } from './tool.ts';

type Caller = Impact['callers'][number];

const MAX_MATCHES = 300;
const TIMEOUT_MS = 1_500;

/**
 * Finds the places that use definitions: whole words of the indexed code outside comments and the definitions themselves.
 * A match is certain when the name has one definition in the index and is not that of a member.
 */
export async function findCallers(
  symbols: readonly string[],
  context: Pick<ToolContext, 'repo' | 'index' | 'signal'>,
): Promise<{ callers: Caller[]; count: number }> {
  const { code } = context.index;
  if (!code) return { callers: [], count: 0 };
  const found = new Map<string, Caller>();
  for (const symbol of symbols) {
    const name = symbol.split('.').at(-1)!;
    const definitions = code.passagesDefining(name);
    const isGuess = symbol.includes('.') || definitions.length !== 1;
    const whole = new RegExp(`(?<![\\w$])${name.replace(/\W/g, '\\$&')}(?![\\w$])`);
    const limits = { maxMatches: MAX_MATCHES, timeoutMs: TIMEOUT_MS };
    for (const { path, line, text } of await findText(name, context, limits)) {
      const key = `${path}\0${line}`;
      if (found.has(key) || !isReadableCode(path) || !whole.test(text) || isCommentOnly(text)) continue;
      const around = passageAt(code, path, line);
      if (around !== null && definitions.includes(around)) continue;
      found.set(key, {
        ...{ path, line, uses: symbol, guessed: isGuess, text: text.trim().slice(0, 200) },
        symbol: around === null ? null : code.passageSymbol(around),
      });
    }
  }
  const callers = [...found.values()].toSorted(
    (a, b) => testsLast(a) - testsLast(b) || Number(a.guessed) - Number(b.guessed),
  );
  return { callers, count: callers.length };
}

/** Callers that a reply holds. */
export const limitCallers = (callers: readonly Caller[]) => callers.slice(0, MAX_CALLERS);

const testsLast = ({ path }: Caller) => Number(isTestFile(path));

/** Passage of a line of the indexed revision; null for a file that is not indexed. */
function passageAt(code: CodeTable, path: string, line: number): number | null {
  const file = code.fileNumber(path);
  if (file < 0) return null;
  const { first, count } = code.filePassages(file);
  for (let passage = first; passage < first + count; passage++) {
    const { start, end } = code.passageLines(passage);
    if (line >= start && line <= end) return passage;
  }
  return null;
}
