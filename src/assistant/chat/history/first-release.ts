import { git } from '#git/run.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { ToolContext } from '../../tools/tool.ts';

const TIMEOUT_MS = 2_000;
const MAX_TAGS = 20_000;
const VERSION = /\d+\.\d+|v\d+$/;
const PRERELEASE = /(?:alpha|beta|rc|pre|dev|preview|snapshot|next|canary|nightly|a|b|c|m)[.-]?\d*$/i;

/** Tags by the number of their commit; a refresh replaces the index. */
const tagsByIndex = new WeakMap<RepositoryIndex, Promise<Map<number, string[]>>>();

/** The first release tag that contains a commit, a final one before pre-releases; null for none. */
export async function firstRelease(commit: number, context: ToolContext): Promise<string | null> {
  const tags = await readTags(context).catch(() => new Map<number, string[]>());
  if (tags.size === 0) return null;
  const { commits } = context.index;
  // Parents have larger numbers than their children.
  const containing = new Set([commit]);
  let prerelease: string | null = null;
  for (let number = commit; number >= 0; number--) {
    const contains =
      containing.has(number) || commits.parents(number).some((parent) => containing.has(parent));
    if (!contains) continue;
    containing.add(number);
    const versions = tags.get(number)?.filter((tag) => VERSION.test(tag)) ?? [];
    const final = versions.find((tag) => !PRERELEASE.test(tag));
    if (final !== undefined) return final;
    prerelease ??= versions[0] ?? null;
  }
  return prerelease;
}

function readTags({ repo, index, signal }: ToolContext): Promise<Map<number, string[]>> {
  const known = tagsByIndex.get(index);
  if (known) return known;
  const tags = listTags(repo, index, signal);
  tagsByIndex.set(index, tags);
  tags.catch(() => tagsByIndex.delete(index));
  return tags;
}

async function listTags(
  repo: string,
  { commits }: RepositoryIndex,
  signal?: AbortSignal,
): Promise<Map<number, string[]>> {
  const args = [
    'for-each-ref',
    `--count=${MAX_TAGS}`,
    '--format=%(objectname) %(*objectname) %(refname:short)',
    'refs/tags',
  ];
  const { stdout } = await git(repo, args, {
    name: 'for-each-ref',
    timeoutMs: TIMEOUT_MS,
    ...(signal && { signal }),
  });
  const found = new Map<number, string[]>();
  for (const line of stdout.toString().split('\n')) {
    const [object = '', peeled = '', ...name] = line.split(' ');
    const commit = commits.find(peeled || object);
    if (commit >= 0) found.set(commit, [...(found.get(commit) ?? []), name.join(' ')]);
  }
  return found;
}
