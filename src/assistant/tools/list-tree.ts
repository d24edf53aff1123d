import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { findEntry, listFolder, type TreeEntry } from '#git/tree.ts';
import { citeCommit } from '../citations.ts';
import { code } from '../markdown.ts';
import { oidOf } from './revisions.ts';
import { defineTool, revision, type ToolContext, words } from './tool.ts';

const MOST_ENTRIES = 300;
const MAX_COUNTED = 20_000;
const KINDS = { blob: '', tree: '/', commit: ' (submodule)' };

export const listTree = defineTool('list_tree', {
  input: z.object({
    path: words(1000).optional().describe('A folder; the root when absent'),
    revision: revision.optional(),
  }),
  async execute({ path: folder, revision: at }, context) {
    const oid = await oidOf(at, context);
    const tree = await treeOf(oid, folder, context);
    const { repo, signal } = context;
    const { entries, truncated } = await listFolder(repo, tree, { max: MAX_COUNTED, signal });
    const items = entries.slice(0, MOST_ENTRIES).map(item);
    const more = entries.length - items.length;
    const count = truncated ? `more than ${entries.length}` : entries.length;
    const head = `${folder ? code(folder) : 'The root'} at ${citeCommit(oid)} has ${count} entries:`;
    return [head, '', ...items, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
  },
});

async function treeOf(oid: string, folder: string | undefined, { repo }: ToolContext): Promise<string> {
  const name = folder?.replace(/^\.?\/+|\/+$/g, '');
  if (!name || name === '.') return oid;
  const entry = await findEntry(repo, oid, name);
  if (entry?.type === 'tree') return entry.oid;
  throw new AppError('not_found', `There is no folder ${code(name)} at this commit.`);
}

function item({ path, raw, type, size }: TreeEntry): string {
  const bytes = size === null ? '' : ` ${size.toLocaleString('en')} bytes`;
  return `- ${code(`${path ?? raw.toString('latin1')}${KINDS[type]}`)}${bytes}`;
}
