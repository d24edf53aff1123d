import type { ChatMention } from '#contract/chat.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { parseQuery } from '#search/query/parse-query.ts';
import { rankCommits } from '#search/rank-documents.ts';

const FILES = 6;
const SYMBOLS = 3;
const COMMITS = 3;
const ERRORS = 3;

/** A debug session that may be attached. */
interface Session {
  id: string;
  title: string;
}

/** What can be attached to a question that fits what was typed behind `@`; the newest of everything for nothing. */
export function findMentions(memory: RepositoryIndex, q: string, sessions: Session[]): ChatMention[] {
  const commits = (
    q === '' ? [0, 1, 2].filter((commit) => commit < memory.commits.count) : commitsFor(memory, q)
  ).map(
    (commit): ChatMention => ({
      kind: 'commit',
      text: `\`${memory.commits.oid(commit).slice(0, 12)}\``,
      label: memory.commits.subject(commit),
    }),
  );
  const errors = sessions
    .filter(({ title }) => title.toLowerCase().includes(q.toLowerCase()))
    .slice(0, ERRORS)
    .map(({ title }): ChatMention => ({ kind: 'error', text: `“${title}”`, label: title }));
  return [...filesFor(memory, q), ...symbolsFor(memory, q), ...commits, ...errors];
}

function commitsFor(memory: RepositoryIndex, q: string): number[] {
  const named = /^[0-9a-f]{7,64}$/.test(q) ? memory.commits.find(q) : -1;
  if (named >= 0) return [named];
  return rankCommits(memory, parseQuery(q), { limit: COMMITS }).map(({ commit }) => commit);
}

/** Files whose path holds the text, those whose name begins with it first, then short paths. `:10-20` may stand behind. */
function filesFor({ code, commits }: RepositoryIndex, q: string): ChatMention[] {
  if (!code) return [];
  const [, typed = '', lines = ''] = /^(.*?)(:\d+(?:-\d+)?)?$/.exec(q) ?? [];
  const wanted = typed.toLowerCase();
  const paths =
    wanted === ''
      ? Array.from(commits.count > 0 ? commits.paths(0) : [], (path) => commits.path(path)).filter(
          (path) => code.fileNumber(path) >= 0,
        )
      : Array.from({ length: code.fileCount }, (_, file) => code.filePath(file)).filter((path) =>
          path.toLowerCase().includes(wanted),
        );
  const begins = (path: string) =>
    Number(
      !path
        .slice(path.lastIndexOf('/') + 1)
        .toLowerCase()
        .startsWith(wanted),
    );
  return paths
    .toSorted((a, b) => begins(a) - begins(b) || a.length - b.length || a.localeCompare(b))
    .slice(0, FILES)
    .map((path) => ({ kind: 'file', text: `\`${path}${lines}\``, label: `${path}${lines}` }));
}

function symbolsFor({ code }: RepositoryIndex, q: string): ChatMention[] {
  if (!code || !/^[A-Za-z_$][\w$.]*$/.test(q)) return [];
  return code
    .passagesDefining(q)
    .slice(0, SYMBOLS)
    .map((passage) => {
      const name = code.passageSymbol(passage) ?? q;
      return {
        kind: 'symbol',
        text: `\`${name}\``,
        label: `${name} in ${code.filePath(code.passageFiles(passage)[0]!)}`,
      };
    });
}
