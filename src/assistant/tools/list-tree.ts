import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { findEntry, type GitTreeEntry, listFolder } from '#git/tree.ts';
import { citeCommit } from '../answer/citations.ts';
import { inlineCode } from '../answer/markdown.ts';
import { resolveOid } from './resolve-revision.ts';
import { defineTool, revisionInput, type ToolContext, textInput } from './tool.ts';

const MAX_ENTRIES = 300;
const MAX_COUNTED = 20_000;
const TYPE_SUFFIXES = { blob: '', tree: '/', commit: ' (submodule)' };

export const listTreeTool = defineTool('list_tree', {
  input: z.object({
    path: textInput(1000).optional().describe('A folder; the root when absent'),
    revision: revisionInput.optional(),
  }),
  async execute({ path: folder, revision: at }, context) {
    const oid = await resolveOid(at, context);
    const tree = await resolveTree(oid, folder, context);
    const { repo, signal } = context;
    const { entries, truncated } = await listFolder(repo, tree, { max: MAX_COUNTED, signal });
    const items = entries.slice(0, MAX_ENTRIES).map(formatEntry);
    const more = entries.length - items.length;
    const count = truncated ? `more than ${entries.length}` : entries.length;
    const head = `${folder ? inlineCode(folder) : 'The root'} at ${citeCommit(oid, context.index.commits)} has ${count} entries:`;
    return [head, '', ...items, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
  },
});

async function resolveTree(oid: string, folder: string | undefined, { repo }: ToolContext): Promise<string> {
  const name = folder?.replace(/^\.?\/+|\/+$/g, '');
  if (!name || name === '.') return oid;
  const entry = await findEntry(repo, oid, name);
  if (entry?.type === 'tree') return entry.oid;
  throw new AppError('not_found', 'tool_folder_not_found', { params: { path: inlineCode(name) } });
}

function formatEntry({ path, raw, type, size }: GitTreeEntry): string {
  const bytes = size === null ? '' : ` ${size.toLocaleString('en')} bytes`;
  return `- ${inlineCode(`${path ?? raw.toString('latin1')}${TYPE_SUFFIXES[type]}`)}${bytes}`;
}
