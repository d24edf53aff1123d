import {
  type IssueKind,
  type IssueState,
  MAX_ISSUE_BODY,
  MAX_ISSUE_LABELS,
  MAX_ISSUE_TITLE,
} from '#contract/issues.ts';
import { type ParsedComment, parseExportComments } from './parse-comment.ts';
import {
  type Fields,
  isFields,
  parseAuthor,
  parseItemUrl,
  toBoundedText,
  toName,
  toNumber,
  toTime,
} from './parse-fields.ts';

/** An issue or pull request as it is stored. */
export interface ParsedIssue {
  kind: IssueKind;
  number: number;
  title: string;
  body: string;
  state: IssueState;
  author: string | null;
  labels: string[];
  branch: string | null;
  merge_commit: string | null;
  created_at: string | null;
  updated_at: string | null;
  closed_at: string | null;
  /** Comments at the host; null where the item does not say. */
  comment_count: number | null;
  /** Comments of an item of an export; the items of APIs have none. */
  comments: ParsedComment[];
}

/**
 * Parses one item of an API or an export: those of GitHub and its migrations, GitLab, Gitea and Forgejo, or the fields of a
 * `ParsedIssue`. Returns null for anything without a number and a title.
 */
export function parseIssue(value: unknown, preset: IssueKind | null = null): ParsedIssue | null {
  if (!isFields(value)) return null;
  const number = toNumber(value.number ?? value.iid) ?? numberInUrl(value);
  const title = toBoundedText(value.title, MAX_ISSUE_TITLE);
  if (number === null || title === '') return null;
  const kind = preset ?? parseKind(value);
  return {
    kind,
    number,
    title,
    body: toBoundedText(value.body ?? value.description, MAX_ISSUE_BODY),
    state: parseState(value, kind),
    author: parseAuthor(value),
    labels: parseLabels(value.labels),
    branch: kind === 'issue' ? null : toName(value.branch ?? value.source_branch ?? refOf(value.head)),
    merge_commit: kind === 'issue' ? null : parseMergeCommit(value),
    created_at: toTime(value.created_at),
    updated_at: toTime(value.updated_at) ?? toTime(value.closed_at) ?? toTime(value.created_at),
    closed_at: toTime(value.closed_at ?? value.merged_at),
    comment_count: parseCommentCount(value),
    comments: parseExportComments(value, { kind, number }),
  };
}

/** Number in the URL of an item of a GitHub migration, which has no other. */
function numberInUrl({ html_url, url, web_url }: Fields): number | null {
  for (const link of [html_url, web_url, url]) {
    const found = parseItemUrl(link);
    if (found) return found.number;
  }
  return null;
}

/** `comments` of GitHub and Gitea is a number, `user_notes_count` of GitLab leaves out the notes of the system. */
function parseCommentCount({ comments, user_notes_count }: Fields): number | null {
  const count = comments ?? user_notes_count;
  return Number.isInteger(count) && Number(count) >= 0 ? Math.min(Number(count), MAX_COUNT) : null;
}

const MAX_COUNT = 1_000_000;

function parseKind(value: Fields): IssueKind {
  if (value.kind === 'issue' || value.kind === 'pull_request') return value.kind;
  const isPull =
    isFields(value.pull_request) ||
    isFields(value.head) ||
    typeof value.source_branch === 'string' ||
    value.type === 'pull_request';
  const link = [value.html_url, value.web_url, value.url].find((one) => typeof one === 'string');
  return isPull || parseItemUrl(link)?.isIssue === false ? 'pull_request' : 'issue';
}

function parseState(value: Fields, kind: IssueKind): IssueState {
  const { state, state_id, merged_at, closed_at, pull_request } = value;
  if (kind === 'pull_request') {
    const merged = merged_at ?? (isFields(pull_request) ? pull_request.merged_at : null);
    if (merged || value.merged === true || state === 'merged' || state_id === 3) return 'merged';
  }
  if (typeof state === 'string') return state === 'open' || state === 'opened' ? 'open' : 'closed';
  return closed_at || state_id === 2 ? 'closed' : 'open';
}

function parseLabels(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const names = value.slice(0, MAX_ISSUE_LABELS).map((label: unknown) => {
    const name = isFields(label) ? (label.name ?? label.title) : label;
    return typeof name === 'string' ? toName(name.replace(/^https?:\/\/.*\/labels\//, '')) : null;
  });
  return [...new Set(names.filter((name) => name !== null))];
}

/** Commit of a merged request; of an open one it is a trial merge. */
function parseMergeCommit(value: Fields): string | null {
  if (parseState(value, 'pull_request') !== 'merged') return null;
  const candidates = [
    value.merge_commit,
    value.merge_commit_sha,
    value.merged_commit_sha,
    value.squash_commit_sha,
    value.sha,
  ];
  return (
    candidates.find((oid): oid is string => typeof oid === 'string' && /^[0-9a-f]{40,64}$/.test(oid)) ?? null
  );
}

const refOf = (head: unknown) => (isFields(head) ? head.ref : null);
