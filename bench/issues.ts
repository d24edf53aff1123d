import { parseArgs } from 'node:util';
import { log } from '../src/git/log.ts';
import {
  countTerms,
  type IssueText,
  makeIssueTexts,
  rankByWords,
  resolveHead,
  type TermCounts,
} from './issue-texts.ts';

/**
 * Measures what issue texts add to the search for earlier fixes, on texts that are made of commit messages with numbers: real ones are
 * not part of a repository. The question is the subject of a fix without its number; an earlier fix is right when it changed
 * one of the same files. See results/issues.md for what this can and cannot show.
 *
 *     node bench/issues.ts REPOSITORY.git…
 */
const { positionals } = parseArgs({ allowPositionals: true });
const MAX_COMMITS = 10_000;
/** Newest fixes of a repository that are asked about. */
const MAX_CASES = 100;
/** Constant of reciprocal rank fusion. */
const FUSION = 60;
const FIX = /\b(?:fix(?:e[sd])?|bug|regression|crash)\b/i;
const NUMBER = /(?<![\w&/])#(\d{1,6})\b/g;
const CAUSE = /\b(?:regression|broke[n]?|introduced|caused|since)\b[^.\n]{0,40}#(\d{1,6})\b/i;

interface Commit {
  subject: string;
  message: string;
  paths: Set<string>;
  numbers: number[];
  counts: TermCounts;
}

const CUTS = [1, 3, 5] as const;
const SYSTEMS = ['messages', 'with issues', 'issues alone'] as const;
const rows: string[] = [];
const all = { cases: 0, hits: new Map<string, number>(), fixes: 0, causes: 0, resolved: 0 };

for (const repo of positionals) {
  const commits = await readCommits(repo);
  const counts = measure(commits);
  rows.push(
    ...formatRows(
      repo
        .split('/')
        .filter((part) => part.includes('+'))
        .at(-1) ?? repo,
      counts,
    ),
  );
  all.cases += counts.cases;
  all.fixes += counts.fixes;
  all.causes += counts.causes;
  all.resolved += counts.resolved;
  for (const [key, count] of counts.hits) all.hits.set(key, (all.hits.get(key) ?? 0) + count);
  console.error(repo, counts.cases);
}
console.log('| repository | system | @1 | @3 | @5 |\n|---|---|---|---|---|');
console.log([...rows, ...formatRows('all', all)].join('\n'));
console.log(
  `\nFixes that name what caused them by a number: ${all.causes} of ${all.fixes}; its commits are linked for ${all.resolved}.`,
);

/** Commits of the head, oldest first. */
async function readCommits(repo: string): Promise<Commit[]> {
  const commits: Commit[] = [];
  for await (const { message, changes, parents } of log(repo, {
    from: await resolveHead(repo),
    findRenames: false,
  })) {
    const numbers = [...message.matchAll(NUMBER)].map(([, number]) => Number(number));
    const paths = new Set(parents.length > 1 ? [] : changes.map(({ path }) => path));
    commits.push({
      subject: message.split('\n', 1)[0]!,
      message,
      paths,
      numbers,
      counts: countTerms(message),
    });
    if (commits.length >= MAX_COMMITS) break;
  }
  return commits.reverse();
}

type Counts = typeof all;

function measure(commits: Commit[]): Counts {
  const counts: Counts = { cases: 0, hits: new Map(), fixes: 0, causes: 0, resolved: 0 };
  const asked = commits.flatMap((commit, at) => (isCase(commit) ? [at] : [])).slice(-MAX_CASES);
  for (const at of asked) {
    const fix = commits[at]!;
    counts.fixes += 1;
    const cause = CAUSE.exec(fix.message)?.[1];
    if (cause) {
      counts.causes += 1;
      counts.resolved += Number(commits.slice(0, at).some(({ numbers }) => numbers.includes(Number(cause))));
    }
    const earlier = commits.slice(0, at);
    const isRight = (commit: Commit) => [...commit.paths].some((path) => fix.paths.has(path));
    const fixes = earlier.filter(({ subject, paths }) => FIX.test(subject) && paths.size > 0);
    if (!fixes.some(isRight)) continue;
    counts.cases += 1;
    const question = fix.subject.replace(NUMBER, '');
    // The own number is left out: its text would contain this fix.
    const issues = makeIssueTexts(earlier, new Set(fix.numbers));
    for (const [system, ranked] of Object.entries(rank(question, fixes, issues))) {
      const place = ranked.findIndex(isRight);
      for (const cut of CUTS) {
        const key = `${system} ${cut}`;
        if (place >= 0 && place < cut) counts.hits.set(key, (counts.hits.get(key) ?? 0) + 1);
      }
    }
  }
  return counts;
}

function isCase({ subject, paths, numbers }: Commit): boolean {
  return FIX.test(subject) && numbers.length > 0 && paths.size > 0 && paths.size <= 20;
}

function rank(question: string, fixes: Commit[], issues: IssueText<Commit>[]): Record<string, Commit[]> {
  const byMessage = rankByWords(question, fixes).slice(0, 100);
  const known = new Set(fixes);
  const byIssue = rankByWords(question, issues)
    .slice(0, 50)
    .flatMap(({ commits }) => commits.toReversed())
    .filter((commit) => known.has(commit));
  const scores = new Map<Commit, number>();
  for (const list of [byMessage, [...new Set(byIssue)]]) {
    for (const [place, commit] of list.entries())
      scores.set(commit, (scores.get(commit) ?? 0) + 1 / (FUSION + place));
  }
  const fused = [...scores].sort((a, b) => b[1] - a[1]).map(([commit]) => commit);
  return { messages: byMessage, 'with issues': fused, 'issues alone': [...new Set(byIssue)] };
}

function formatRows(name: string, { cases, hits }: Counts): string[] {
  return SYSTEMS.map((system) => {
    const cells = CUTS.map((cut) =>
      cases === 0 ? '–' : ((100 * (hits.get(`${system} ${cut}`) ?? 0)) / cases).toFixed(1),
    );
    return `| ${name} (${cases}) | ${system} | ${cells.join(' | ')} |`;
  });
}
