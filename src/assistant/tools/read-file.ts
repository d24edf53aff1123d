import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { openBlobReader } from '#git/blobs.ts';
import { findEntry } from '#git/tree.ts';
import { answerText } from '../answer/answer-text.ts';
import { citeLines } from '../answer/citations.ts';
import { fencedBlock, inlineCode } from '../answer/markdown.ts';
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
    const count = answerText({ now: context.now }, 'lines', { count: lines.length });
    const last = Math.min(to ?? from + MAX_LINES - 1, from + MAX_LINES - 1, lines.length);
    if (from > lines.length || last < from) {
      return `${inlineCode(name)} has ${count}; line ${from} does not exist.`;
    }
    const shown = lines
      .slice(from - 1, last)
      .map((text, i) => `${from + i}\t${text.slice(0, MAX_LINE_LENGTH)}`);
    return `${citeLines({ path: name, from, to: last, commit: oid }, context.index.commits)} of ${count}:\n\n${fencedBlock('', shown.join('\n'))}`;
  },
});

/** Lines of a text file at a commit. Throws AppError when there is none. */
async function readLinesAt(oid: string, name: string, { repo, signal }: ToolContext): Promise<string[]> {
  const entry = await findEntry(repo, oid, name);
  if (entry?.type !== 'blob')
    throw new AppError('not_found', 'tool_file_not_found', { params: { path: inlineCode(name) } });
  const blobs = openBlobReader(repo, { signal });
  try {
    const blob = await blobs.read(entry.oid, MAX_BYTES);
    if (!blob || !('content' in blob))
      throw new AppError('too_large', 'tool_file_too_large', { params: { path: inlineCode(name) } });
    if (blob.content.includes(0))
      throw new AppError('unsupported', 'tool_file_not_text', { params: { path: inlineCode(name) } });
    const lines = blob.content.toString('utf8').split('\n');
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  } finally {
    blobs.close();
  }
}
