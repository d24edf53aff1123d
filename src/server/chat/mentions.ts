import { citeCommit } from '#assistant/answer/citations.ts';
import type { ChatMention } from '#contract/chat.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { rankCommits } from '#search/lexical/rank-documents.ts';

const MAX_FILES = 6;
const MAX_SYMBOLS = 3;
const MAX_COMMITS = 3;
const MAX_ERRORS = 3;

/** Debug session that can be attached. */
interface MentionableSession {
  id: string;
  title: string;
}

/** Suggestions for the text typed after `@`; recent items for an empty query. */
export function findMentions(
  index: RepositoryIndex,
  q: string,
  sessions: MentionableSession[],
): ChatMention[] {
  const commits = (
    q === '' ? [0, 1, 2].filter((commit) => commit < index.commits.count) : matchCommits(index, q)
  ).map(
    (commit): ChatMention => ({
      kind: 'commit',
      text: citeCommit(index.commits.oid(commit), index.commits),
      label: index.commits.subject(commit),
    }),
  );
  const errors = sessions
    .filter(({ title }) => title.toLowerCase().includes(q.toLowerCase()))
    .slice(0, MAX_ERRORS)
    .map(({ title }): ChatMention => ({ kind: 'error', text: `“${title}”`, label: title }));
  return [...mentionFiles(index, q), ...mentionSymbols(index, q), ...commits, ...errors];
}

function matchCommits(index: RepositoryIndex, q: string): number[] {
  const byHash = /^[0-9a-f]{7,64}$/.test(q) ? index.commits.find(q) : -1;
  if (byHash >= 0) return [byHash];
  return rankCommits(index, parseQuery(q), { limit: MAX_COMMITS }).map(({ commit }) => commit);
}

/**
 * Files whose path contains the query: file name prefix matches first, then shorter paths. The query may end with a
 * range such as `:10-20`.
 */
function mentionFiles({ code, commits }: RepositoryIndex, q: string): ChatMention[] {
  if (!code) return [];
  const [, pathQuery = '', lines = ''] = /^(.*?)(:\d+(?:-\d+)?)?$/.exec(q) ?? [];
  const needle = pathQuery.toLowerCase();
  const paths =
    needle === ''
      ? Array.from(commits.count > 0 ? commits.paths(0) : [], (path) => commits.path(path)).filter(
          (path) => code.fileNumber(path) >= 0,
        )
      : Array.from({ length: code.fileCount }, (_, file) => code.filePath(file)).filter((path) =>
          path.toLowerCase().includes(needle),
        );
  const prefixRank = (path: string) =>
    Number(
      !path
        .slice(path.lastIndexOf('/') + 1)
        .toLowerCase()
        .startsWith(needle),
    );
  return paths
    .toSorted((a, b) => prefixRank(a) - prefixRank(b) || a.length - b.length || a.localeCompare(b))
    .slice(0, MAX_FILES)
    .map((path) => ({ kind: 'file', text: `\`${path}${lines}\``, label: `${path}${lines}` }));
}

function mentionSymbols({ code }: RepositoryIndex, q: string): ChatMention[] {
  if (!code || !/^[A-Za-z_$][\w$.]*$/.test(q)) return [];
  return code
    .passagesDefining(q)
    .slice(0, MAX_SYMBOLS)
    .map((passage) => {
      const name = code.passageSymbol(passage) ?? q;
      return {
        kind: 'symbol',
        text: `\`${name}\``,
        label: `${name} in ${code.filePath(code.passageFiles(passage)[0]!)}`,
      };
    });
}
