import { openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import { termKey } from '#memory/changes/term-keys.ts';
import { terms } from '#memory/tokens.ts';
import { searchHistory } from '#search/changes/search-history.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Mention } from './entities.ts';

/** Quoted text, flags, and identifiers that do not occur in prose. */
const CODE_LIKE =
  /`(?<quoted>[^`\n]{2,120})`|(?<![\w-])(?<flag>--?[A-Za-z][\w-]{2,})|(?<![\w.])(?<name>[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)+|\w*(?:[a-z\d][A-Z]|\w_|_\w)\w*|[a-z]\w+(?:-\w+)+)(?![\w])/g;
const MAX_SEARCHED = 4;
const SCORES = { quoted: 0.9, flag: 0.9, name: 0.8 };

/**
 * Finds names of the question that the code does not have and that some change had. The change index decides by its terms,
 * and a name of several is searched for in the changes.
 */
export async function findRemovedNames(text: string, context: ToolContext): Promise<Mention[]> {
  const { hunks } = context;
  if (!hunks) return [];
  const candidates = Array.from(text.matchAll(CODE_LIKE))
    .map((match) => toCandidate(match))
    .filter(({ name }) => isAbsent(name, context))
    .slice(0, MAX_SEARCHED);
  const mentions: Mention[] = [];
  for (const { name, span, score } of candidates) {
    if (!(await isInChanges(name, hunks, context))) continue;
    mentions.push({ entity: { kind: 'removed_name', name }, span, score, alternatives: [] });
  }
  return mentions;
}

function toCandidate(match: RegExpExecArray): { name: string; span: [number, number]; score: number } {
  const { quoted, flag, name } = match.groups!;
  const kind = quoted !== undefined ? 'quoted' : flag !== undefined ? 'flag' : 'name';
  return {
    name: (quoted ?? flag ?? name)!.replace(/\(.*$/, ''),
    span: [match.index, match.index + match[0].length],
    score: SCORES[kind],
  };
}

/** True when no file of the code has all terms of a name, nor its last part is defined. */
function isAbsent(name: string, { index: { code } }: ToolContext): boolean {
  if (!code) return false;
  const last = name.split(/\.|::|#|->/).at(-1)!;
  if (code.passagesDefining(last).length > 0) return false;
  const [whole, ...others] = terms(last);
  if (whole === undefined) return false;
  // The first term of `fooBar` is the whole.
  if (!/[^\p{L}\p{N}_]/u.test(last)) return code.files.postings(whole) === null;
  const lists = [whole, ...others].map((term) => new Set(code.files.postings(term)?.docs));
  const [rarest, ...rest] = lists.sort((a, b) => a.size - b.size);
  return ![...rarest!].some((file) => rest.every((files) => files.has(file)));
}

async function isInChanges(
  name: string,
  hunks: string,
  { repo, index, signal }: ToolContext,
): Promise<boolean> {
  const opened = openChangeIndexIfUsable(hunks);
  if (opened === null) return false;
  const keys = terms(name).map(termKey);
  if (keys.length === 0) return false;
  const isKnown = opened.blocks.some((block) => keys.every((key) => block.term(key) !== null));
  if (!isKnown || keys.length === 1) return isKnown;
  const found = await searchHistory({
    directory: hunks,
    repo,
    index,
    q: name,
    match: 'exact',
    limit: 1,
    signal,
  });
  return found.first_added !== null || found.last_removed !== null;
}
