import type { ComparedCommit } from '#contract/history.ts';

/** Sections of release notes, in their order. */
export const RELEASE_GROUPS = [
  'breaking',
  'features',
  'fixes',
  'performance',
  'reverts',
  'documentation',
  'other',
] as const;
type ReleaseGroup = (typeof RELEASE_GROUPS)[number];

/** Conventional commits and the first words of subjects, with the section that they mean. */
const SIGNS: [ReleaseGroup, RegExp][] = [
  ['breaking', /^\w+(?:\([^)]*\))?!:|\bBREAKING\b/],
  ['features', /^(?:feat(?:\([^)]*\))?:|(?:add|implement|introduce|support|allow)s?(?:ed)?\b)/i],
  ['performance', /^(?:perf(?:\([^)]*\))?:|(?:optimi[sz]e|speed up)\b)|\bfaster\b/i],
  ['documentation', /^(?:docs?(?:\([^)]*\))?:|(?:document|docs?|readme|changelog)\b)/i],
];

/** Drafts release notes in Markdown; merges are left out, since the commits that they bring are listed. */
export function draftReleaseNotes(
  commits: readonly ComparedCommit[],
  { title, titles }: { title: string; titles: Record<string, string> },
): string {
  const groups = Map.groupBy(
    commits.filter(({ kind }) => kind !== 'merge'),
    groupOf,
  );
  const sections = RELEASE_GROUPS.flatMap((group) => {
    const items = groups.get(group)?.map(formatItem) ?? [];
    return items.length === 0 ? [] : [`### ${titles[group]}\n\n${items.join('\n')}`];
  });
  return `${[`## ${title}`, ...sections].join('\n\n')}\n`;
}

function groupOf({ kind, subject }: ComparedCommit): ReleaseGroup {
  const sign = SIGNS.find(([, words]) => words.test(subject))?.[0];
  if (sign === 'breaking') return sign;
  if (kind === 'revert') return 'reverts';
  if (kind === 'fix') return 'fixes';
  return sign ?? 'other';
}

/** `feat(router): add x` becomes `Add x (router)`: the section says the rest. */
function formatItem({ subject, hash }: ComparedCommit): string {
  const [, scope, text = subject] = /^\w+(?:\(([^)]*)\))?!?:\s*(.+)$/.exec(subject) ?? [];
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return `- ${sentence}${scope ? ` (${scope})` : ''} (${hash.slice(0, 7)})`;
}
