import { isNonSource } from '#evolution/fixes.ts';
import type { GrepMatch } from '#git/grep.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { answerText, moreItem } from '../answer/answer-text.ts';
import { citeLines } from '../answer/citations.ts';
import { inlineCode } from '../answer/markdown.ts';
import type { DefinedName } from './find-definitions.ts';
import { findText } from './find-text.ts';
import type { ToolContext } from './tool.ts';

const MAX_REFERENCES = 12;
const MAX_MATCHES = 500;
const TIMEOUT_MS = 3_000;

/** Lists the references to a name outside its definitions: source code first, then tests and documents. */
export async function listReferences({ name, passages }: DefinedName, context: ToolContext): Promise<string> {
  const { index } = context;
  const limits = { maxMatches: MAX_MATCHES, timeoutMs: TIMEOUT_MS };
  const find = async (text: string) => {
    const whole = new RegExp(`(?<![\\w$])${text.replace(/\W/g, '\\$&')}(?![\\w$])`);
    const lines = await findText(text, context, limits);
    return lines.filter((match) => whole.test(match.text));
  };
  // `res.redirect` as written is more specific than any `redirect`, but methods are rarely called by their class.
  const qualified = await find(name);
  const last = name.split('.').at(-1)!;
  const [searched, matches] =
    qualified.length > 1 || last === name ? [name, qualified] : [last, await find(last)];
  const definitions = definingLines(matches, passages, index.code!);
  const uses = matches
    .filter((match) => !definitions.has(match))
    .toSorted((a, b) => Number(isNonSource(a.path)) - Number(isNonSource(b.path)));
  const shownName = inlineCode(searched);
  if (uses.length === 0) return answerText(context, 'reference.none', { name: shownName });
  const files = new Set(uses.map(({ path }) => path)).size;
  const head = answerText(context, matches.length >= MAX_MATCHES ? 'reference.at_least' : 'reference.found', {
    name: shownName,
    references: answerText(context, 'references', { count: uses.length }),
    files: answerText(context, 'files', { count: files }),
  });
  const items = uses.slice(0, MAX_REFERENCES).map((use) => formatReference(use, index));
  return [head, '', ...items, ...moreItem(context, uses.length - items.length)].join('\n');
}

function formatReference({ path, line, text }: GrepMatch, { revision, commits }: RepositoryIndex): string {
  const place = citeLines({ path, from: line, to: line, commit: revision }, commits);
  return `- ${place} ${inlineCode(text.trim().slice(0, 120) || ' ')}`;
}

/** First match in each passage that defines the name: comments may precede the definition. */
function definingLines(matches: GrepMatch[], passages: number[], table: CodeTable): Set<GrepMatch> {
  const found = passages.flatMap((passage) => {
    const { start, end } = table.passageLines(passage);
    const paths = table.passageFiles(passage).map((file) => table.filePath(file));
    return paths.map((path) =>
      matches.find((match) => match.path === path && match.line >= start && match.line <= end),
    );
  });
  return new Set(found.filter((match) => match !== undefined));
}
