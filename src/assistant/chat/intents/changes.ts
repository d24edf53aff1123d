import type { RepositoryIndex } from '#memory/repository-index.ts';
import { answerText, formatDate, moreItem } from '../../answer/answer-text.ts';
import { formatCommit, inlineCode } from '../../answer/markdown.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findCodeRange } from '../understand/code-range.ts';
import { entitiesOf } from '../understand/entities.ts';
import { parseSince } from '../understand/parse-since.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_COMMITS = 12;
/** A less certain mention does not restrict the commits to its file. */
const MIN_SCORE = 0.6;

/** Lists changes since a time, a release or a commit, in the project, a folder or a file; without a time, the newest. */
export async function answerChanges(reading: Reading, context: ToolContext): Promise<IntentAnswer | null> {
  const text = await listChanges(reading, context);
  if (text === null) return null;
  const { name } = findCandidates(reading, context);
  return { text, evidence: 0.8, understood: { key: 'changes', params: { name } } };
}

async function listChanges(reading: Reading, context: ToolContext): Promise<string | null> {
  const { commits } = context.index;
  const { name, candidates } = findCandidates(reading, context);
  if (candidates.length === 0) return null;
  const start = await findStart(reading, context);
  const recent = start ? candidates.filter((commit) => commits.time(commit) > start.time) : candidates;
  if (start && recent.length === 0) {
    const commit = formatCommit(context.index, candidates[0]!);
    return answerText(context, 'changes.none', { name, since: start.label, commit });
  }
  const items = recent.slice(0, MAX_COMMITS).map((commit) => `- ${formatCommit(context.index, commit)}`);
  const authors = new Set(recent.map((commit) => commits.author(commit))).size;
  const params = {
    name,
    commits: answerText(context, 'commits', { count: recent.length }),
    people: answerText(context, 'people', { count: authors }),
  };
  const head = start
    ? answerText(context, 'changes.since', { ...params, since: start.label })
    : answerText(context, 'changes.all', params);
  return [head, '', ...items, ...moreItem(context, recent.length - items.length)].join('\n');
}

/** Commits of the file or the folder that the question names, or of the project; newest first. */
function findCandidates({ mentions }: Reading, context: ToolContext) {
  const { index } = context;
  const range = findCodeRange(
    mentions.filter(({ score }) => score >= MIN_SCORE),
    context,
  );
  if (range) return { name: range.name, candidates: commitsTouching(range.path, context) };
  const folder = entitiesOf(mentions, 'folder')[0]?.path;
  const all = Array.from({ length: index.commits.count }, (_, commit) => commit);
  return folder === undefined
    ? { name: answerText(context, 'changes.project'), candidates: all }
    : { name: inlineCode(folder), candidates: all.filter((commit) => isBelow(folder, commit, index)) };
}

function isBelow(folder: string, commit: number, { commits }: RepositoryIndex): boolean {
  return commits.paths(commit).some((path) => commits.path(path).startsWith(`${folder}/`));
}

/** Time that the question names as the start of the changes, in seconds, with its label; null without one. */
async function findStart({ question, mentions }: Reading, context: ToolContext) {
  const [named] = entitiesOf(mentions, 'commit');
  if (named) {
    const { index } = context;
    return { time: index.commits.time(named.commit), label: formatCommit(index, named.commit) };
  }
  const since = await parseSince(question, context);
  if (!since) return null;
  const label = since.revision === null ? formatDate(since.time, context) : inlineCode(since.revision);
  return { time: since.time, label: label ?? '' };
}
