import {
  type IssueKind,
  type IssueState,
  MAX_ISSUE_BODY,
  MAX_ISSUE_LABELS,
  MAX_ISSUE_TITLE,
} from '#contract/issues.ts';
import { storableText } from '#intake/storable-text.ts';

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
}

const MAX_NUMBER = 999_999_999;
/** Characters of a branch, a label and a name. */
const MAX_NAME_LENGTH = 250;
/** Comments of one issue, and characters of one. */
const [MAX_COMMENTS, MAX_COMMENT_LENGTH] = [50, 4_000];

type Fields = Record<string, unknown>;

/**
 * Parses one item of an API or an export: those of GitHub and its migrations, GitLab, Gitea and Forgejo, or the fields of a
 * `ParsedIssue`. Returns null for anything without a number and a title.
 */
export function parseIssue(value: unknown, preset: IssueKind | null = null): ParsedIssue | null {
  if (!isFields(value)) return null;
  const number = toNumber(value.number ?? value.iid) ?? numberInUrl(value);
  const title = toText(value.title, MAX_ISSUE_TITLE);
  if (number === null || title === '') return null;
  const kind = preset ?? parseKind(value);
  return {
    kind,
    number,
    title,
    body: withComments(toText(value.body ?? value.description, MAX_ISSUE_BODY), value),
    state: parseState(value, kind),
    author: parseAuthor(value),
    labels: parseLabels(value.labels),
    branch: kind === 'issue' ? null : toName(value.branch ?? value.source_branch ?? refOf(value.head)),
    merge_commit: kind === 'issue' ? null : parseMergeCommit(value),
    created_at: toTime(value.created_at),
    updated_at: toTime(value.updated_at) ?? toTime(value.closed_at) ?? toTime(value.created_at),
    closed_at: toTime(value.closed_at ?? value.merged_at),
  };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toNumber(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_NUMBER ? Number(value) : null;
}

/** Number in the URL of an item of a GitHub migration, which has no other. */
function numberInUrl({ html_url, url, web_url }: Fields): number | null {
  for (const link of [html_url, web_url, url]) {
    const match = typeof link === 'string' ? ITEM_URL.exec(link) : null;
    if (match) return toNumber(Number(match[2]));
  }
  return null;
}

const ITEM_URL = /\/(issues|pulls?|merge_requests)\/(\d{1,9})(?:[/?#]|$)/;

function parseKind(value: Fields): IssueKind {
  if (value.kind === 'issue' || value.kind === 'pull_request') return value.kind;
  const isPull =
    isFields(value.pull_request) ||
    isFields(value.head) ||
    typeof value.source_branch === 'string' ||
    value.type === 'pull_request';
  const link = [value.html_url, value.web_url, value.url].find((one) => typeof one === 'string');
  const inUrl = typeof link === 'string' ? ITEM_URL.exec(link)?.[1] : undefined;
  return isPull || (inUrl !== undefined && inUrl !== 'issues') ? 'pull_request' : 'issue';
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

/**
 * Text with the comments that an export has beside it (`gh issue list --json comments`, GitLab's notes), oldest first, each after the
 * name of its author. Notes of the system are left out.
 */
function withComments(body: string, { comments, notes }: Fields): string {
  const list = Array.isArray(comments) ? comments : Array.isArray(notes) ? notes : [];
  let text = body;
  for (const comment of list.slice(0, MAX_COMMENTS)) {
    if (text.length >= MAX_ISSUE_BODY) break;
    if (!isFields(comment) || comment.system === true) continue;
    const said = toText(comment.body ?? comment.note, MAX_COMMENT_LENGTH);
    if (said !== '') text += `\n\n${parseAuthor(comment) ?? 'Comment'}: ${said}`;
  }
  return toText(text, MAX_ISSUE_BODY);
}

/** Login of the author; a migration of GitHub has the URL of their page. */
function parseAuthor({ author, user }: Fields): string | null {
  const found = author ?? user;
  if (typeof found === 'string') return toName(found.replace(/^https?:\/\/.*\//, ''));
  return isFields(found) ? toName(found.login ?? found.username ?? found.name) : null;
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

function toText(value: unknown, max: number): string {
  return typeof value === 'string' ? storableText(value, max).trim() : '';
}

function toName(value: unknown): string | null {
  const text = toText(value, MAX_NAME_LENGTH).replace(/\p{Cc}+/gu, ' ');
  return text === '' ? null : text;
}

function toTime(value: unknown): string | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  // Years beyond these are not what a host sends.
  return time > 0 && time < 4_102_444_800_000 ? new Date(time).toISOString() : null;
}
