import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { openBlobs } from '#git/blobs.ts';
import { findEntry } from '#git/tree.ts';
import { citeLines } from '../citations.ts';
import { code, fenced } from '../markdown.ts';
import { oidOf } from './revisions.ts';
import { defineTool, line, path, revision, type ToolContext } from './tool.ts';

const MOST_LINES = 400;
const MAX_BYTES = 2_000_000;
const MAX_LINE = 400;

export const readFileTool = defineTool('read_file', {
  input: z.object({ path, from: line.default(1), to: line.optional(), revision: revision.optional() }),
  async execute({ path: name, from, to, revision: at }, context) {
    const oid = await oidOf(at, context);
    const lines = await linesAt(oid, name, context);
    const last = Math.min(to ?? from + MOST_LINES - 1, from + MOST_LINES - 1, lines.length);
    if (from > lines.length || last < from) {
      return `${code(name)} has ${lines.length} lines; there is nothing from line ${from} on.`;
    }
    const shown = lines
      .slice(from - 1, last)
      .map((text, index) => `${from + index}\t${text.slice(0, MAX_LINE)}`);
    return `${citeLines(name, from, last, oid)} of ${lines.length} lines:\n\n${fenced('', shown.join('\n'))}`;
  },
});

/** Lines of a text file at a commit. Throws AppError in words when there is none. */
async function linesAt(oid: string, name: string, { repo, signal }: ToolContext): Promise<string[]> {
  const entry = await findEntry(repo, oid, name);
  if (entry?.type !== 'blob')
    throw new AppError('not_found', `There is no file ${code(name)} at this commit.`);
  const blobs = openBlobs(repo, { signal });
  try {
    const blob = await blobs.read(entry.oid, MAX_BYTES);
    if (!blob || !('content' in blob))
      throw new AppError('too_large', `${code(name)} is too large to be read.`);
    if (blob.content.includes(0)) throw new AppError('unsupported', `${code(name)} is not a text file.`);
    const lines = blob.content.toString('utf8').split('\n');
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  } finally {
    blobs.close();
  }
}
