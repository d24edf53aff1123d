import type { RepositoryIndex } from '#memory/repository-index.ts';
import { formatCommit, inlineCode } from '../../markdown.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findCodeRange } from '../code-range.ts';
import { parseSince } from '../parse-since.ts';
import type { Question } from '../question.ts';
import { explicitTargets, findFolder } from '../targets.ts';

const MAX_COMMITS = 12;

/** What changed since a time, a release or a commit, in all or in one file; without a time, what changed last. */
export async function answerChanges({ text, targets }: Question, deps: ToolContext): Promise<string | null> {
  const { commits } = deps.memory;
  const subject = findCodeRange(
    explicitTargets(targets).filter(({ kind }) => kind !== 'commit'),
    deps,
  );
  const folder = subject ? undefined : findFolder(text, deps.memory);
  const candidates = subject
    ? commitsTouching(subject.path, deps)
    : Array.from({ length: commits.count }, (_, commit) => commit).filter(
        (commit) => folder === undefined || isBelow(folder, commit, deps.memory),
      );
  if (candidates.length === 0) return null;
  const since = await findStart({ text, targets }, deps);
  const recent = since ? candidates.filter((commit) => commits.time(commit) > since.time) : candidates;
  const where = subject?.name ?? (folder === undefined ? 'The project' : inlineCode(folder));
  if (since && recent.length === 0) {
    const last = formatCommit(deps.memory, candidates[0]!);
    return `${where} has not changed since ${since.words}. The last change before was ${last}.`;
  }
  const items = recent.slice(0, MAX_COMMITS).map((commit) => `- ${formatCommit(deps.memory, commit)}`);
  const authors = new Set(recent.map((commit) => commits.author(commit))).size;
  const many = `${recent.length.toLocaleString('en')} commit${recent.length === 1 ? '' : 's'} by ${authors} ${authors === 1 ? 'person' : 'people'}`;
  const head = since
    ? `${where} changed in ${many} since ${since.words}`
    : `${where} has ${many}; the newest first`;
  const more = recent.length - items.length;
  return `${head}:\n\n${items.join('\n')}${more > 0 ? `\n- and ${more.toLocaleString('en')} more` : ''}`;
}

function isBelow(folder: string, commit: number, { commits }: RepositoryIndex): boolean {
  return commits.paths(commit).some((path) => commits.path(path).startsWith(`${folder}/`));
}

async function findStart({ text, targets }: Pick<Question, 'text' | 'targets'>, deps: ToolContext) {
  const named = targets.find(({ kind }) => kind === 'commit');
  if (named?.kind !== 'commit') return await parseSince(text, deps);
  const { commits } = deps.memory;
  return { time: commits.time(named.commit), words: formatCommit(deps.memory, named.commit) };
}
