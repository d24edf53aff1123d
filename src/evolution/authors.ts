import { readFileAt } from '#git/file-at.ts';
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
/** `41898282+login@users.noreply.github.com`, which GitHub writes for an account with a private email. */
const PRIVATE_EMAIL = /^(?:\d+\+)?([\w[\]-]+)@users\.noreply\.github\.com$/;
const MAILMAP_LINE = /^\s*([^<#]*?)\s*<([^>]+)>(?:\s*([^<]*?)\s*<([^>]+)>)?/;

const cache = new WeakMap<RepositoryIndex, Authors>();

/** True for accounts of programs. */
export function isBot(name: string): boolean {
  return BOT.test(name);
}

/**
 * Identifies the authors of an index by the `.mailmap` of its revision. Beyond that, signatures with the same name or email are
 * one person, also where the email is GitHub's private one of an account. Cached by index.
 */
export function identifyAuthors(index: RepositoryIndex, mailmapLines: readonly string[]): Authors {
  const cached = cache.get(index);
  if (cached) return cached;
  const authors = resolveAuthors(index, parseMailmap(mailmapLines));
  cache.set(index, authors);
  return authors;
}

/** Identifies the authors of an index, with the `.mailmap` of its repository. */
export async function readAuthors({
  repo,
  index,
}: {
  repo: string;
  index: RepositoryIndex;
}): Promise<Authors> {
  const cached = cache.get(index);
  if (cached) return cached;
  const mailmap = await readFileAt(repo, index.revision, '.mailmap').catch(() => null);
  return identifyAuthors(index, mailmap?.split('\n') ?? []);
}

function resolveAuthors({ commits }: RepositoryIndex, mailmap: ReadonlyMap<string, string>): Authors {
  const signatures = new Map<string, number>();
  const signatureOf = Uint32Array.from({ length: commits.count }, (_, commit) => {
    const signature = `${commits.author(commit)}\n${commits.email(commit)}`;
    return setDefault(signatures, signature, signatures.size);
  });
  const counts = new Uint32Array(signatures.size);
  for (const signature of signatureOf) counts[signature]!++;
  const parts = Array.from(signatures.keys(), parseSignature);
  const common = findCommonNames(parts, counts);
  const spellings = new Map<string, number>();
  const properNames = parts.map(({ name, email, account }, signature) => {
    const usual = common.get(account) ?? name;
    const proper =
      mailmap.get(`${name.toLowerCase()} ${email}`) ??
      mailmap.get(email) ??
      // The name may be the login of an account.
      common.get(`@${usual.toLowerCase()}`) ??
      usual;
    spellings.set(proper, (spellings.get(proper) ?? 0) + counts[signature]!);
    return proper;
  });
  const numbers = new Map<string, number>();
  const names: string[] = [];
  for (const [name] of [...spellings].sort(([, a], [, b]) => b - a)) {
    if (setDefault(numbers, name.toLowerCase(), names.length) === names.length) names.push(name);
  }
  return {
    names,
    bots: names.map(isBot),
    authorOf: signatureOf.map((signature) => numbers.get(properNames[signature]!.toLowerCase())!),
  };
}

interface Spelling {
  name: string;
  count: number;
}

interface Signature {
  name: string;
  email: string;
  /** The email, or `@login` for the private email of a GitHub account. */
  account: string;
}

function parseSignature(signature: string): Signature {
  const [name = '', address = ''] = signature.split('\n');
  const email = address.toLowerCase();
  const login = PRIVATE_EMAIL.exec(email)?.[1];
  return {
    name: name.trim().replace(/\s+/g, ' '),
    email,
    account: login === undefined ? email : `@${login}`,
  };
}

/** The name of each account that most commits have. */
function findCommonNames(signatures: readonly Signature[], counts: Uint32Array): Map<string, string> {
  const best = new Map<string, Spelling>();
  signatures.forEach(({ name, account }, signature) => {
    const count = counts[signature]!;
    if (account !== '' && count > (best.get(account)?.count ?? 0)) best.set(account, { name, count });
  });
  return new Map(Array.from(best, ([account, { name }]) => [account, name]));
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
