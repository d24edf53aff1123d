import { z } from 'zod';
import { type DefinitionChange, traceDefinition } from '#evolution/definition-history.ts';
import { diffLines } from '#evolution/line-diff.ts';
import { lineage } from '#git/lineage.ts';
import { citeLines } from '../answer/citations.ts';
import { fencedBlock, formatCommit, inlineCode } from '../answer/markdown.ts';
import { findDefinitions } from './find-definitions.ts';
import { defineTool, limitInput, pathInput, type ToolContext, textInput } from './tool.ts';

const MAX_HUNK_LINES = 30;
/** The history then ends early. */
const TRACE_TIMEOUT_MS = 3_000;
const MARKS = { add: '+', delete: '-', context: ' ' } as const;

export const functionHistory = defineTool('function_history', {
  input: z.object({
    name: textInput(200).describe('A name as the code spells it'),
    path: pathInput.optional(),
    limit: limitInput(20, 6),
  }),
  async execute({ name, path: file, limit: most }, context) {
    const { index } = context;
    const place = findDefinitionPlace(name, file, context);
    if (!place)
      return `Nothing called ${inlineCode(name)} is defined in the code${file ? ` of ${inlineCode(file)}` : ''}.`;
    const shown = (await listChanges(place, most, context)).map(({ commit, lines }) => {
      const block = fencedBlock('diff', lines.slice(0, MAX_HUNK_LINES).join('\n'));
      return `${formatCommit(context.index, commit)}:\n\n${block}`;
    });
    return [
      `${inlineCode(name)} in ${citeLines({ ...place, commit: index.revision }, index.commits)}, the newest change first:`,
      ...shown,
    ].join('\n\n');
  },
});

interface DefinitionPlace {
  path: string;
  name: string;
  from: number;
  to: number;
}

/** Changes of a definition, newest first: by its grammar, or by its lines where the language has none. */
async function listChanges(
  { path, name, from, to }: DefinitionPlace,
  most: number,
  { repo, index, sources, signal }: ToolContext,
): Promise<{ commit: number; lines: string[] }[]> {
  const options = { repo, path, maxChanges: most, timeoutMs: TRACE_TIMEOUT_MS, ...(signal && { signal }) };
  const text = ((await sources.lines(path)) ?? []).join('\n');
  const span = { name, start: from, end: to };
  const traced = await traceDefinition({ ...options, ...span, commits: index.commits, text });
  if (traced) return traced.changes.map((change) => ({ commit: change.commit, lines: formatDiff(change) }));
  const request = { commit: index.revision, path, from, to, maxCommits: most, signal };
  return (await lineage(repo, request))
    .map(({ oid, patch }) => ({ commit: index.commits.find(oid), lines: patch }))
    .filter(({ commit }) => commit >= 0);
}

function formatDiff({ before, after }: DefinitionChange): string[] {
  const [old, fresh] = [before?.text.split('\n') ?? [], after.text.split('\n')];
  const hunks = diffLines({ start: before?.start ?? 0, lines: old }, { start: after.start, lines: fresh });
  return hunks.flatMap(({ old_start, new_start, lines }) => [
    `@@ -${old_start} +${new_start} @@`,
    ...lines.map(({ kind, text }) => `${MARKS[kind]}${text}`),
  ]);
}

function findDefinitionPlace(
  name: string,
  file: string | undefined,
  { index: { code: table } }: ToolContext,
): DefinitionPlace | null {
  const found = table && findDefinitions(name.replaceAll(/::|#/g, '.'), table);
  if (!found) return null;
  const places = found.passages.flatMap((passage) => {
    const { start, end } = table.passageLines(passage);
    return table.passageFiles(passage).map((number) => ({
      path: table.filePath(number),
      name: table.passageSymbol(passage) ?? name,
      from: start,
      to: Math.min(end, table.fileLines(number)),
    }));
  });
  return places.find((place) => file === undefined || place.path === file) ?? null;
}
