import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import type { IssueImport, IssueKind, IssueLinkSource, IssueState } from '#contract/issues.ts';
import type { DefaultTimestamp, NullableJson, Timestamp } from './columns.ts';

/** Place in one list of a code host's API. */
export interface IssueListProgress {
  /** Items updated since then are asked for; absent for all. */
  since?: string;
  /** The same for the next import, while this one reads the list. */
  nextSince?: string;
  /** Next page of the running import. */
  page?: number;
  isDone?: boolean;
  /** The first request of the last complete reading that had an ETag. */
  url?: string;
  etag?: string;
}

/** Import of the issues of a project. */
export interface IssueImportsTable {
  project_id: string;
  /** From the API of the code host. */
  enabled: Generated<boolean>;
  state: Generated<IssueImport['state']>;
  /** API of the repository that `progress` belongs to. */
  api_url: string | null;
  /** By list of the API. */
  progress: ColumnType<Record<string, IssueListProgress>, string | undefined, string>;
  received: Generated<number>;
  /** Upper bound of the bytes of the comments. */
  comment_bytes: Generated<number>;
  linked_commits: Generated<number>;
  started_at: Timestamp | null;
  imported_at: Timestamp | null;
  retry_at: Timestamp | null;
  failure: NullableJson<Sentence>;
  created_at: DefaultTimestamp;
}

/** Imported issues and pull requests. GitLab numbers both separately. */
export interface IssuesTable {
  project_id: string;
  kind: IssueKind;
  number: number;
  title: string;
  body: string;
  state: IssueState;
  author: string | null;
  labels: string[];
  /** Of a pull request. */
  branch: string | null;
  merge_commit: string | null;
  created_at: Timestamp | null;
  updated_at: Timestamp | null;
  closed_at: Timestamp | null;
  /** Comments at the host; null where it does not say. */
  comment_count: Generated<number | null>;
  /** Value of `updated_at` when the comments were last read issue by issue. */
  comments_as_of: ColumnType<Date | null, undefined, Date | null>;
  /** Failed attempts to read them since then, and the time of the next one. */
  comments_attempts: Generated<number>;
  comments_retry_at: ColumnType<Date | null, undefined, Date | null>;
  /** Bytes of the texts. */
  size: GeneratedAlways<number>;
  search: GeneratedAlways<string>;
}

/** Comments of imported issues, which may arrive before the issue. */
export interface IssueCommentsTable {
  project_id: string;
  kind: IssueKind;
  number: number;
  /** Id at the host, or `file-` and a position in an export without ids. */
  id: string;
  author: string | null;
  body: string;
  created_at: Timestamp | null;
  updated_at: Timestamp | null;
  /** Bytes of the text. */
  size: GeneratedAlways<number>;
  search: GeneratedAlways<string>;
}

/** Commits that belong to imported issues. */
export interface CommitIssuesTable {
  project_id: string;
  commit: string;
  kind: IssueKind;
  number: number;
  source: IssueLinkSource;
}
