import { answerText } from '../../answer/answer-text.ts';
import { citeLines } from '../../answer/citations.ts';
import { inlineCode } from '../../answer/markdown.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findRemovals, type Removal } from '../history/find-removal.ts';
import {
  datedSentence,
  formatBackground,
  formatCandidates,
  formatPaths,
  subjectName,
} from '../history/format-history.ts';
import { addedPaths, deletedPaths } from '../history/gone-paths.ts';
import { namedTexts } from '../history/history-topic.ts';
import { entitiesOf } from '../understand/entities.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MIN_SCORE = 0.15;
/** Share of the best score from which another commit is listed as well. */
const CLOSE_SHARE = 0.8;
const MAX_CANDIDATES = 3;
/** Evidence of a removal of something that the code still has. */
const PRESENT_FACTOR = 0.7;

/** Finds the commit that removed a path, a symbol, an option or a feature. */
export async function answerRemoved(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const [best, ...others] = await findRemovals(reading, context);
  if (!best || best.score < MIN_SCORE) return null;
  const name = removedName(best, reading);
  const present = formatPresence(best, reading, context);
  const close = others.filter(({ score }) => score >= best.score * CLOSE_SHARE).map(({ commit }) => commit);
  const parts = [
    present,
    datedRemoval(best, name, context),
    ...(await formatBackground(best.commit, reading, context)),
    ...formatFiles(best.commit, context),
    ...formatCandidates(close.slice(0, MAX_CANDIDATES), context),
  ];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    evidence: best.score * (present === '' ? 1 : PRESENT_FACTOR),
    understood: { key: 'removed', params: { name } },
  };
}

function removedName({ paths, text }: Removal, reading: Reading): string {
  const named = entitiesOf(reading.mentions, 'deleted_path', 'removed_name')[0];
  if (named) return inlineCode(named.kind === 'removed_name' ? named.name : named.path);
  const [own] = namedTexts(reading.question).filter(({ isCode }) => isCode);
  if (text !== null) return inlineCode(text);
  if (own) return inlineCode(own.text);
  return paths.length === 1 ? inlineCode(paths[0]!) : subjectName(reading);
}

function datedRemoval({ commit, renamedTo, paths }: Removal, name: string, context: ToolContext): string {
  if (renamedTo !== null && paths.length === 0)
    return datedSentence('removed.renamed', commit, { name, path: inlineCode(renamedTo) }, context);
  return datedSentence('removed.commit', commit, { name }, context);
}

/** Files that the commit deleted, and those that it added in their place. */
function formatFiles(commit: number, context: ToolContext): string[] {
  const { index } = context;
  const [deleted, added] = [deletedPaths(commit, index), addedPaths(commit, index)];
  const parts: string[] = [];
  if (deleted.length > 0)
    parts.push(answerText(context, 'removed.deleted', { paths: formatPaths(deleted, context) }));
  if (deleted.length > 0 && added.length > 0)
    parts.push(answerText(context, 'removed.added', { paths: formatPaths(added, context) }));
  return parts;
}

/** States that a symbol or file which the question names exactly is still there; empty otherwise. */
function formatPresence({ paths, text }: Removal, { mentions }: Reading, context: ToolContext): string {
  const { code, revision, commits } = context.index;
  const exact = mentions.filter(({ score }) => score >= 1).map(({ entity }) => entity);
  if (!code || paths.length > 0 || text !== null || exact.length !== 1) return '';
  const [entity] = exact;
  if (entity?.kind === 'file' && code.fileNumber(entity.path) >= 0) {
    const place = citeLines({ path: entity.path, from: 1, to: 1, commit: revision }, commits);
    return answerText(context, 'removed.present', { name: inlineCode(entity.path), place });
  }
  if (entity?.kind !== 'symbol') return '';
  const passage = entity.passages[0]!;
  const path = code.filePath(code.passageFiles(passage)[0]!);
  const { start, end } = code.passageLines(passage);
  const place = citeLines({ path, from: start, to: end, commit: revision }, commits);
  return answerText(context, 'removed.present', { name: inlineCode(entity.name), place });
}
