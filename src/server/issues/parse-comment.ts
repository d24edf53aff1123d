import { type IssueKind, MAX_COMMENT_BODY, MAX_ISSUE_COMMENTS } from '#contract/issues.ts';
import { type Fields, isFields, parseAuthor, parseItemUrl, toBoundedText, toTime } from './parse-fields.ts';

/** A comment as it is stored. */
export interface ParsedComment {
  kind: IssueKind;
  number: number;
  id: string;
  author: string | null;
  body: string;
  created_at: string | null;
  updated_at: string | null;
}

type IssueOfComment = Pick<ParsedComment, 'kind' | 'number'>;

/**
 * Parses a comment of an API; its issue is the one in its URL unless it is given. Returns null for notes of the system, and for
 * anything without an id, a text or an issue.
 */
export function parseComment(value: unknown, issue?: IssueOfComment): ParsedComment | null {
  return isFields(value) ? toComment(value, issue ?? issueOfComment(value), idOfComment(value)) : null;
}

/**
 * Parses the comments that an item of an export has beside it (`gh issue list --json comments`, GitLab's notes). Without ids of
 * the host, they are numbered.
 */
export function parseExportComments({ comments, notes }: Fields, issue: IssueOfComment): ParsedComment[] {
  const list: unknown[] = Array.isArray(comments) ? comments : Array.isArray(notes) ? notes : [];
  return list
    .map((value, position) =>
      isFields(value) ? toComment(value, issue, idOfComment(value) ?? `file-${position}`) : null,
    )
    .filter((comment) => comment !== null)
    .slice(-MAX_ISSUE_COMMENTS);
}

function toComment(value: Fields, issue: IssueOfComment | null, id: string | null): ParsedComment | null {
  const body = value.system === true ? '' : toBoundedText(value.body ?? value.note, MAX_COMMENT_BODY);
  if (issue === null || id === null || body === '') return null;
  const created_at = toTime(value.created_at ?? value.createdAt);
  const updated_at = toTime(value.updated_at) ?? created_at;
  return { ...issue, id, author: parseAuthor(value), body, created_at, updated_at };
}

/** GitHub names issues and pull requests in `html_url` by their kind, Gitea too. */
function issueOfComment({ html_url, pull_request_url, issue_url }: Fields): IssueOfComment | null {
  for (const url of [html_url, pull_request_url, issue_url]) {
    const found = parseItemUrl(url);
    if (found) return { kind: found.isIssue ? 'issue' : 'pull_request', number: found.number };
  }
  return null;
}

const COMMENT_URL = /#(?:issuecomment-|note_)(\d{1,18})$/;

/** Number of the comment; the ids of GraphQL are not those of the API, but the URL has them. */
function idOfComment({ id, url, html_url }: Fields): string | null {
  if (Number.isSafeInteger(id) && Number(id) > 0) return String(id);
  for (const link of [html_url, url]) {
    const found = typeof link === 'string' ? COMMENT_URL.exec(link.slice(-200))?.[1] : undefined;
    if (found) return found;
  }
  return null;
}
