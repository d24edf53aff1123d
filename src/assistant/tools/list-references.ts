import { isNonSource } from '#evolution/fixes.ts';
import type { GrepMatch } from '#git/grep.ts';
import { grepIndex } from '#memory/index/trigrams/grep-index.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { citeLines } from '../citations.ts';
import { inlineCode } from '../markdown.ts';
import type { DefinedName } from './find-definitions.ts';
import type { ToolContext } from './tool.ts';

const MAX_REFERENCES = 12;
const MAX_MATCHES = 500;
const TIMEOUT_MS = 3_000;

/** Where a name stands in the code outside its definitions: the program first, then its tests and documents. */
export async function listReferences({ name, passages }: DefinedName, context: ToolContext): Promise<string> {
  const { repo, memory, signal } = context;
  const options = { maxMatches: MAX_MATCHES, timeoutMs: TIMEOUT_MS, signal };
  const find = async (text: string) => {
    const whole = new RegExp(`(?<![\\w$])${text.replace(/\W/g, '\\$&')}(?![\\w$])`);
    const lines = await grepIndex(repo, memory, { fixed: [text] }, options);
    return lines.filter((match) => whole.test(match.text));
  };
  // `res.redirect` as it is written says more than any `redirect`; but few call a method by its class.
  const written = await find(name);
  const last = name.split('.').at(-1)!;
  const [searched, matches] =
    written.length > 1 || last === name ? [name, written] : [last, await find(last)];
  const definitions = definingLines(matches, passages, memory.code!);
  const uses = matches
    .filter((match) => !definitions.has(match))
    .toSorted((a, b) => Number(isNonSource(a.path)) - Number(isNonSource(b.path)));
  if (uses.length === 0) return `${inlineCode(searched)} stands nowhere in the code but where it is defined.`;
  const files = new Set(uses.map(({ path }) => path)).size;
  const many = matches.length >= MAX_MATCHES ? 'at least ' : '';
  const lines = uses.length === 1 ? 'line' : 'lines';
  const head = `${inlineCode(searched)} stands in ${many}${uses.length} ${lines} of ${files} ${files === 1 ? 'file' : 'files'} beside its definition:`;
  const more = uses.length - MAX_REFERENCES;
  const items = uses.slice(0, MAX_REFERENCES).map((use) => item(use, memory.revision));
  return `${head}\n\n${items.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`;
}

function item({ path, line, text }: GrepMatch, revision: string): string {
  return `- ${citeLines(path, line, line, revision)} ${inlineCode(text.trim().slice(0, 120) || ' ')}`;
}

/** Of the lines in each passage that defines the name, the first with it: comments may stand above. */
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
