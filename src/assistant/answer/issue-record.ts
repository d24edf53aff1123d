import type { IssueKind, IssueState } from '#contract/issues.ts';

/** An imported issue or pull request that an answer may use. Its texts were written by anyone. */
export interface IssueRecord {
  kind: IssueKind;
  number: number;
  title: string;
  body: string;
  /** Texts of its comments, oldest first, each after the name of its author. */
  comments: string;
  state: IssueState;
  author: string | null;
  /** ISO 8601; null where it is not known. */
  updatedAt: string | null;
  /** Full hashes of commits that belong to it. */
  commits: string[];
}

/** Imported issues as sources of citations. */
export interface CitableIssues {
  /** Title, text and comments of the issues with a number; null where none is imported. */
  read(number: number): Promise<string | null>;
}

/** Formats an issue as `parseCitation` reads it. */
export function citeIssue({ number }: Pick<IssueRecord, 'number'>): string {
  return `\`#${number}\``;
}

/** The issues of a list as sources; others are not known. */
export function citeFrom(issues: readonly IssueRecord[]): CitableIssues {
  return {
    read: async (number) => {
      const found = issues.filter((issue) => issue.number === number);
      return found.length > 0 ? found.map(citableText).join('\n\n') : null;
    },
  };
}

/** The text of an issue that a quote may be of. */
export function citableText({
  title,
  body,
  comments,
}: Pick<IssueRecord, 'title' | 'body' | 'comments'>): string {
  return [title, body, comments].filter((text) => text !== '').join('\n\n');
}
