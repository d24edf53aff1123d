import type { RepositoryIndex } from '#memory/repository-index.ts';

/** Authors of all commits, with the names of one person united. */
export interface Authors {
  /** Proper name by author number. */
  readonly names: readonly string[];
  /** Author number → true for the account of a program. */
  readonly bots: readonly boolean[];
  /** Commit → author number. */
  readonly authorOf: Uint32Array;
}

const BOT =
  /\[bot\]|^(?:dependabot|renovate|greenkeeper|github-actions|pre-commit-ci|mergify|codecov|allcontributors|imgbot|buildbot|weblate|transifex)\b|^(?:travis[ -]ci|jenkins|snyk)$|(?:^|[\s_-])(?:bot|robot|autoroller)$/i;
const MAILMAP_LINE = /^\s*([^<#]*?)\s*<([^>]+)>(?:\s*([^<]*?)\s*<([^>]+)>)?/;

const cache = new WeakMap<RepositoryIndex, Authors>();

/** True for accounts of programs. */
export function isBot(name: string): boolean {
  return BOT.test(name);
}

/**
 * Identifies the authors of an index by the lines of its revision's `.mailmap`; beyond those, an email stands for the name that
 * most of its commits have. Cached by index.
 */
export function identifyAuthors(index: RepositoryIndex, mailmapLines: readonly string[]): Authors {
  const cached = cache.get(index);
  if (cached) return cached;
  const authors = resolveAuthors(index, parseMailmap(mailmapLines));
  cache.set(index, authors);
  return authors;
}

function resolveAuthors({ commits }: RepositoryIndex, mailmap: ReadonlyMap<string, string>): Authors {
  const signatures = new Map<string, number>();
  const signatureOf = Uint32Array.from({ length: commits.count }, (_, commit) => {
    const signature = `${commits.author(commit)}\n${commits.email(commit)}`;
    return setDefault(signatures, signature, signatures.size);
  });
  const counts = new Uint32Array(signatures.size);
  for (const signature of signatureOf) counts[signature]!++;
  const parts = Array.from(signatures.keys(), (signature) => signature.split('\n') as [string, string]);
  const common = findCommonNames(parts, counts);
  const numbers = new Map<string, number>();
  const authorOfSignature = parts.map(([name, address]) => {
    const email = address.toLowerCase();
    const proper =
      mailmap.get(`${name.toLowerCase()} ${email}`) ?? mailmap.get(email) ?? common.get(email) ?? name;
    return setDefault(numbers, proper, numbers.size);
  });
  const names = [...numbers.keys()];
  return {
    names,
    bots: names.map(isBot),
    authorOf: signatureOf.map((signature) => authorOfSignature[signature]!),
  };
}

/** The name of each email that most commits have. */
function findCommonNames(signatures: readonly [string, string][], counts: Uint32Array): Map<string, string> {
  const best = new Map<string, { name: string; count: number }>();
  signatures.forEach(([name, address], signature) => {
    const email = address.toLowerCase();
    const count = counts[signature]!;
    if (email !== '' && count > (best.get(email)?.count ?? 0)) best.set(email, { name, count });
  });
  return new Map(Array.from(best, ([email, { name }]) => [email, name]));
}

/** Proper names by `email` or `name email` of the commits. */
function parseMailmap(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', email = '', oldName, oldEmail] = MAILMAP_LINE.exec(line) ?? [];
    if (name === '') continue;
    const key = oldEmail === undefined ? email : oldName ? `${oldName} ${oldEmail}` : oldEmail;
    found.set(key.toLowerCase(), name);
  }
  return found;
}

function setDefault(numbers: Map<string, number>, key: string, value: number): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, value);
  return value;
}
