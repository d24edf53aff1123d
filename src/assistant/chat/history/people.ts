import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { ToolContext } from '../../tools/tool.ts';

const BOT =
  /\[bot\]|^(?:dependabot|renovate|greenkeeper|github-actions|pre-commit-ci|mergify|codecov|snyk|allcontributors|imgbot|travis|jenkins|buildbot|weblate|transifex)\b|(?:^|[\s_-])(?:bot|robot|autoroller)$/i;
const MAILMAP_LINE = /^\s*([^<#]*?)\s*<([^>]+)>(?:\s*([^<]*?)\s*<([^>]+)>)?/;

/** Names of the authors as `.mailmap` and their emails unite them. */
interface People {
  /** Name of a commit's author. */
  authorOf(commit: number): string;
}

/** True for accounts of programs. */
export function isBot(name: string): boolean {
  return BOT.test(name);
}

/** Reads `.mailmap` and unites the names of each email. */
export async function readPeople({ index, sources }: ToolContext): Promise<People> {
  const lines = (await sources.lines('.mailmap').catch(() => null)) ?? [];
  const mailmap = parseMailmap(lines);
  const { commits } = index;
  const common = commonNames(index);
  return {
    authorOf(commit) {
      const [name, email] = [commits.author(commit), commits.email(commit).toLowerCase()];
      return mailmap.get(`${name.toLowerCase()} ${email}`) ?? mailmap.get(email) ?? common.get(email) ?? name;
    },
  };
}

/** Proper names by `email` or `name email` of the commits. */
function parseMailmap(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', email = '', oldName, oldEmail] = MAILMAP_LINE.exec(line) ?? [];
    if (name === '') continue;
    if (oldEmail === undefined) found.set(email.toLowerCase(), name);
    else
      found.set(
        oldName ? `${oldName.toLowerCase()} ${oldEmail.toLowerCase()}` : oldEmail.toLowerCase(),
        name,
      );
  }
  return found;
}

/** The name that most commits of each email have. */
const commonNames = memoizeByIdentity(({ commits }: RepositoryIndex): Map<string, string> => {
  const counts = new Map<string, Map<string, number>>();
  for (let commit = 0; commit < commits.count; commit++) {
    const [email, name] = [commits.email(commit).toLowerCase(), commits.author(commit)];
    if (email === '') continue;
    const names = counts.get(email) ?? new Map<string, number>();
    counts.set(email, names.set(name, (names.get(name) ?? 0) + 1));
  }
  const most = (names: Map<string, number>) => [...names].sort(([, a], [, b]) => b - a)[0]![0];
  return new Map(Array.from(counts, ([email, names]) => [email, most(names)]));
});
