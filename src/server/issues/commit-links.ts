import type { IssueKind, IssueLinkSource } from '#contract/issues.ts';
import type { CommitTable } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';

/** An imported issue with what links it to commits. */
export interface LinkableIssue {
  kind: IssueKind;
  number: number;
  merge_commit: string | null;
  branch: string | null;
}

export interface IssueCommit {
  commit: string;
  kind: IssueKind;
  number: number;
  source: IssueLinkSource;
}

/** Links of one project. */
const MAX_LINKS = 300_000;
/** Issues of one commit, and commits of one merged branch. */
const MAX_PER_COMMIT = 20;
const MAX_BRANCH_COMMITS = 500;
/** Commits that are looked at for one merge. */
const MAX_WALKED = 2_000;

/**
 * Links commits to issues: by numbers in their messages, by the merge of a pull request, whose commits come with it, and by
 * numbers in the name of the merged branch. Only links to imported issues are returned.
 */
export async function findCommitLinks(
  commits: CommitTable,
  issues: readonly LinkableIssue[],
  signal?: AbortSignal,
): Promise<IssueCommit[]> {
  const known = groupByNumber(issues);
  const merges = new Map<string, LinkableIssue>();
  for (const issue of issues) if (issue.merge_commit !== null) merges.set(issue.merge_commit, issue);
  const links = new Links();
  for (let commit = 0; commit < commits.count && links.count < MAX_LINKS; commit++) {
    await yieldIfDue(signal);
    const message = commits.message(commit);
    const oid = commits.oid(commit);
    for (const issue of resolveNumbers(numbersInMessage(message), known)) links.add(oid, issue, 'message');
    const merged = merges.get(oid);
    if (merged) links.add(oid, merged, 'merge');
    const [first, second] = commits.parents(commit);
    if (first === undefined || second === undefined) continue;
    const branch = mergedBranch(message) ?? merged?.branch ?? null;
    const byBranch = branch === null ? [] : resolveNumbers(numbersInBranch(branch), known);
    const requests = links.of(oid).filter(({ kind }) => kind === 'pull_request');
    if (byBranch.length + requests.length === 0) continue;
    for (const issue of byBranch) links.add(oid, issue, 'branch');
    for (const inside of commitsOfMerge(commits, first, second)) {
      const hash = commits.oid(inside);
      for (const issue of requests) links.add(hash, issue, 'merge');
      for (const issue of byBranch) links.add(hash, issue, 'branch');
    }
  }
  return links.list().slice(0, MAX_LINKS);
}

class Links {
  readonly #byCommit = new Map<string, Map<string, IssueCommit>>();
  count = 0;

  /** Adds a link; the first reason for it is kept. */
  add(
    commit: string,
    { kind, number }: Pick<LinkableIssue, 'kind' | 'number'>,
    source: IssueLinkSource,
  ): void {
    const links = this.#byCommit.get(commit) ?? new Map<string, IssueCommit>();
    const key = `${kind} ${number}`;
    if (links.has(key) || links.size >= MAX_PER_COMMIT) return;
    links.set(key, { commit, kind, number, source });
    this.#byCommit.set(commit, links);
    this.count += 1;
  }

  of(commit: string): IssueCommit[] {
    return [...(this.#byCommit.get(commit)?.values() ?? [])];
  }

  list(): IssueCommit[] {
    return [...this.#byCommit.values()].flatMap((links) => [...links.values()]);
  }
}

interface Numbers {
  /** `#12`: an issue, or a pull request where the host numbers both together. */
  either: Set<number>;
  /** `!12` of GitLab, and URLs of pull requests. */
  pulls: Set<number>;
}

/** Not after a word or a slash: `owner/name#12` is of another repository, and `&#39;` is a character. */
const HASH_NUMBER = /(?<![\w&/#])(?:#|gh-)([1-9]\d{0,8})\b(?!\.\d)/gi;
const REQUEST_NUMBER = /(?<=^|[\s([{,])(?:[\w./-]*)!([1-9]\d{0,8})\b/g;
const URL_NUMBER = /\/(issues|pulls?|merge_requests)\/([1-9]\d{0,8})\b/g;

function numbersInMessage(message: string): Numbers {
  const either = new Set<number>();
  const pulls = new Set<number>();
  if (!/[#!]\d|gh-\d|\/\d/i.test(message)) return { either, pulls };
  for (const [, number] of message.matchAll(HASH_NUMBER)) either.add(Number(number));
  for (const [, number] of message.matchAll(REQUEST_NUMBER)) pulls.add(Number(number));
  for (const [, kind, number] of message.matchAll(URL_NUMBER)) {
    (kind === 'issues' ? either : pulls).add(Number(number));
  }
  return { either, pulls };
}

const MERGED_BRANCH = /^Merge (?:remote-tracking )?branch '([^']{1,250})'/;
const MERGED_REQUEST = /^Merge pull request \S+ from ([^\s]{1,250})/;

function mergedBranch(message: string): string | null {
  return (MERGED_BRANCH.exec(message) ?? MERGED_REQUEST.exec(message))?.[1] ?? null;
}

/** Number at the beginning of a part of the branch's name: `fix/123-login`, `issue-123`, `gh-123`. */
const BRANCH_NUMBER =
  /(?:^|\/)(?:(?:issues?|gh|fix|bug|bugfix|feature|feat|hotfix|pr)[-_/])?#?([1-9]\d{0,8})(?=$|[-_/])/gi;

function numbersInBranch(branch: string): Numbers {
  const either = new Set<number>();
  for (const [, number] of branch.matchAll(BRANCH_NUMBER)) either.add(Number(number));
  return { either, pulls: new Set() };
}

interface KnownIssues {
  issue: Map<number, LinkableIssue>;
  pull_request: Map<number, LinkableIssue>;
}

function groupByNumber(issues: readonly LinkableIssue[]): KnownIssues {
  const known: KnownIssues = { issue: new Map(), pull_request: new Map() };
  for (const issue of issues) known[issue.kind].set(issue.number, issue);
  return known;
}

function resolveNumbers({ either, pulls }: Numbers, known: KnownIssues): LinkableIssue[] {
  const found = [
    ...[...either].map((number) => known.issue.get(number) ?? known.pull_request.get(number)),
    ...[...pulls].map((number) => known.pull_request.get(number)),
  ];
  return found.filter((issue) => issue !== undefined);
}

/** Commits that a merge brought: those that its second parent reaches and its first does not, newest first. */
function commitsOfMerge(commits: CommitTable, first: number, second: number): number[] {
  const found: number[] = [];
  const [main, side] = [new Set([first]), new Set([second])];
  // Parents have larger numbers, so a commit is looked at after all that reach it.
  for (let step = 0; step < MAX_WALKED && side.size > 0 && found.length < MAX_BRANCH_COMMITS; step++) {
    const next = Math.min(...main, ...side);
    const isMain = main.delete(next);
    const isSide = side.delete(next);
    if (isSide && !isMain) found.push(next);
    for (const parent of commits.parents(next)) (isMain ? main : side).add(parent);
  }
  return found;
}
