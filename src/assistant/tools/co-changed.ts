import { z } from 'zod';
import { findCoupled } from '#evolution/coupling.ts';
import { findEntries } from '#git/tree.ts';
import { answerText } from '../answer/answer-text.ts';
import { citeLines } from '../answer/citations.ts';
import { formatCommit, inlineCode } from '../answer/markdown.ts';
import { commitsTouching } from './file-commits.ts';
import { defineTool, limitInput, pathInput, type ToolContext } from './tool.ts';

export const coChanged = defineTool('co_changed', {
  input: z.object({ path: pathInput, limit: limitInput(30, 10) }),
  async execute({ path: name, limit: most }, context) {
    const { index } = context;
    const touching = commitsTouching(name, context);
    const { of, coupled: all } = findCoupled(index, name, touching, 3 * most, { unindexed: true });
    const present = await findPresent(
      all.map(({ path }) => path),
      context,
    );
    const coupled = all.filter(({ path }) => present.has(path)).slice(0, most);
    const subject = inlineCode(name);
    if (coupled.length === 0) return answerText(context, 'co_change.none', { path: subject });
    const items = coupled.map(({ path: other, together, last }) => {
      const percent = Math.round((100 * together) / of);
      const commit = formatCommit(index, last);
      const params = {
        path: citeLines({ path: other, from: 1, to: 1, commit: index.revision }, index.commits),
        together,
        count: of,
        percent,
        commit,
      };
      return `- ${answerText(context, 'co_change.item', params)}`;
    });
    return `${answerText(context, 'co_change.title', { path: subject })}\n\n${items.join('\n')}`;
  },
});

/** Unindexed paths that are looked up in git. */
const MAX_LOOKUPS = 8;

/** Paths of the indexed revision; also those that the index leaves out, such as lock files. */
async function findPresent(paths: readonly string[], { repo, index }: ToolContext): Promise<Set<string>> {
  const isIndexed = (path: string) => index.code === null || index.code.fileNumber(path) >= 0;
  const others = paths.filter((path) => !isIndexed(path)).slice(0, MAX_LOOKUPS);
  const entries = await findEntries(repo, index.revision, others);
  const found = entries.flatMap(({ type, path }) => (type === 'blob' && path !== null ? [path] : []));
  return new Set([...paths.filter(isIndexed), ...found]);
}
