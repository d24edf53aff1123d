import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { openBlobs } from '#git/blobs.ts';
import { findEntry } from '#git/tree.ts';
import { citeLines } from '../citations.ts';
import { fencedBlock, inlineCode } from '../markdown.ts';
import { resolveOid } from './resolve-revision.ts';
import { defineTool, lineInput, pathInput, revisionInput, type ToolContext } from './tool.ts';

const MAX_LINES = 400;
const MAX_BYTES = 2_000_000;
const MAX_LINE_LENGTH = 400;

export const readFileTool = defineTool('read_file', {
  input: z.object({
    path: pathInput,
    from: lineInput.default(1),
    to: lineInput.optional(),
    revision: revisionInput.optional(),
  }),
  async execute({ path: name, from, to, revision: at }, context) {
    const oid = await resolveOid(at, context);
    const lines = await readLinesAt(oid, name, context);
    const last = Math.min(to ?? from + MAX_LINES - 1, from + MAX_LINES - 1, lines.length);
    if (from > lines.length || last < from) {
      return `${inlineCode(name)} has ${lines.length} lines; there is nothing from line ${from} on.`;
    }
    const shown = lines
      .slice(from - 1, last)
      .map((text, index) => `${from + index}\t${text.slice(0, MAX_LINE_LENGTH)}`);
    return `${citeLines(name, from, last, oid)} of ${lines.length} lines:\n\n${fencedBlock('', shown.join('\n'))}`;
  },
});

/** Lines of a text file at a commit. Throws AppError in words when there is none. */
async function readLinesAt(oid: string, name: string, { repo, signal }: ToolContext): Promise<string[]> {
  const entry = await findEntry(repo, oid, name);
  if (entry?.type !== 'blob')
    throw new AppError('not_found', `There is no file ${inlineCode(name)} at this commit.`);
  const blobs = openBlobs(repo, { signal });
  try {
    const blob = await blobs.read(entry.oid, MAX_BYTES);
    if (!blob || !('content' in blob))
      throw new AppError('too_large', `${inlineCode(name)} is too large to be read.`);
    if (blob.content.includes(0))
      throw new AppError('unsupported', `${inlineCode(name)} is not a text file.`);
    const lines = blob.content.toString('utf8').split('\n');
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  } finally {
    blobs.close();
  }
}
