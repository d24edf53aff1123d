import { answerText } from '../../answer/answer-text.ts';
import { inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace } from '../evidence/cite.ts';
import { pathKind } from '../evidence/path-kinds.ts';
import { readManifestNames } from '../understand/manifests.ts';
import type { IntentAnswer } from './intent.ts';

/** Manifests that are listed, those nearest to the root first, and names of one of them. */
const MAX_MANIFESTS = 6;
const MAX_NAMES = 40;
const EVIDENCE = 0.9;

/** Lists the dependencies that the manifests declare; null where the repository has none of the known manifests. */
export async function listDependencies(context: ToolContext): Promise<IntentAnswer | null> {
  const { dependencies, projects } = await readManifestNames(context);
  if (dependencies.size === 0 && projects.size === 0) return null;
  const byManifest = new Map<string, string[]>();
  for (const [name, paths] of dependencies)
    for (const path of paths) byManifest.set(path, [...(byManifest.get(path) ?? []), name]);
  const depth = (path: string) => path.split('/').length;
  const listed = [...byManifest]
    .filter(([path]) => pathKind(path) !== 'test')
    .toSorted(([a], [b]) => depth(a) - depth(b) || a.localeCompare(b))
    .slice(0, MAX_MANIFESTS);
  const parts = await Promise.all(listed.map(([path, names]) => formatManifest(path, names, context)));
  return {
    text: parts.length > 0 ? parts.join('\n\n') : answerText(context, 'dependency.none_listed'),
    evidence: EVIDENCE,
    understood: { key: 'dependency_list', params: {} },
  };
}

/** The names of a manifest, with the lines from the first to the last of them. */
async function formatManifest(path: string, names: readonly string[], context: ToolContext): Promise<string> {
  const rows = (await context.sources.lines(path)) ?? [];
  const lines = names
    .map((name) => rows.findIndex((row) => row.includes(name)) + 1)
    .filter((line) => line > 0);
  const [from, to] = lines.length > 0 ? [Math.min(...lines), Math.max(...lines)] : [1, 1];
  const shown = names.slice(0, MAX_NAMES).map(inlineCode).join(', ');
  const rest = names.length - MAX_NAMES;
  const params = {
    place: citePlace(path, from, to, context),
    names: rest > 0 ? `${shown} ${answerText(context, 'and_more', { count: rest })}` : shown,
  };
  return answerText(context, 'dependency.listed', params);
}
