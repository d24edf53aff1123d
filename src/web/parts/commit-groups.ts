import type { Commit } from '#contract/projects.ts';
import { AGES, type Age, ageBucket } from './age.ts';

/**
 * Groups commits, newest first, by age. A commit with an earlier or invalid date than its neighbors stays in
 * their group.
 */
export function groupByAge(commits: Commit[], now: number): { age: Age; commits: Commit[] }[] {
  const groups: { age: Age; commits: Commit[] }[] = [];
  const ages = commits.map((commit) => ageBucket(commit.committed_at || commit.timestamp, now));
  for (const [index, commit] of commits.entries()) {
    const own = ages[index] ?? null;
    const next = ages.slice(index + 1).find((age) => age !== null);
    const last = groups.at(-1);
    const startsGroup = own !== null && last && isOlder(own, last.age) && !(next && isOlder(own, next));
    if (!last || startsGroup) groups.push({ age: own ?? next ?? 'older', commits: [commit] });
    else last.commits.push(commit);
  }
  return groups;
}

function isOlder(one: Age, other: Age): boolean {
  return AGES.indexOf(one) > AGES.indexOf(other);
}
