import { z } from 'zod';
import { answerText } from '../answer/answer-text.ts';
import { citeIssue, type IssueRecord } from '../answer/issue-record.ts';
import { escapeMarkdown, fencedBlock, formatCommit } from '../answer/markdown.ts';
import { defineTool, limitInput, type ToolContext, textInput } from './tool.ts';

/** Characters of the text of an issue, and as many of its comments: of one alone, and of each in a list. */
const [MAX_TEXT, MAX_LISTED_TEXT] = [6_000, 400];
const MAX_COMMITS = 8;

export const issuesTool = defineTool('issues', {
  input: z.object({
    query: textInput(2_000).optional().describe('Words of the title or the text'),
    number: z.int().min(1).max(999_999_999).optional().describe('Number, such as 123 for #123'),
    kind: z.enum(['issue', 'pull_request']).optional(),
    state: z.enum(['open', 'closed', 'merged']).optional(),
    limit: limitInput(20, 5),
  }),
  async execute({ number }, context) {
    const { issues = [] } = context;
    if (issues.length === 0) {
      return number === undefined
        ? 'No imported issue matches. Issues are imported in the settings of a project on the server.'
        : `No issue with the number ${number} is imported.`;
    }
    const maxText = issues.length === 1 ? MAX_TEXT : MAX_LISTED_TEXT;
    return issues.map((issue) => formatIssue(issue, context, maxText)).join('\n\n');
  },
});

/** An issue as markdown: number, title, state, text and comments as blocks, and its commits. */
export function formatIssue(issue: IssueRecord, context: ToolContext, maxText: number): string {
  const { index } = context;
  const known = issue.commits.map((hash) => index.commits.find(hash)).filter((commit) => commit >= 0);
  const commits = known.slice(0, MAX_COMMITS).map((commit) => `- ${formatCommit(index, commit)}`);
  const body = cutText(issue.body, maxText);
  const comments = cutText(issue.comments, maxText);
  return [
    formatIssueLine(issue, context),
    // A fence, so that code and traces stay as they are and nothing of the text is Markdown.
    body === '' ? '' : fencedBlock('text', body),
    comments === '' ? '' : `${answerText(context, 'issues.comments')}\n\n${fencedBlock('text', comments)}`,
    commits.length > 0 ? `${answerText(context, 'issues.commits')}\n\n${commits.join('\n')}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function cutText(text: string, max: number): string {
  const whole = text.trim();
  return whole.length > max ? `${whole.slice(0, max)}…` : whole;
}

/** `#12` “title” (issue, closed, author, day). */
export function formatIssueLine(issue: IssueRecord, context: ToolContext): string {
  const facts = [
    answerText(context, `issues.kind.${issue.kind}`),
    answerText(context, `issues.state.${issue.state}`),
    issue.author === null ? '' : escapeMarkdown(issue.author),
    issue.updatedAt?.slice(0, 10) ?? '',
  ];
  return `${citeIssue(issue)} “${escapeMarkdown(issue.title)}” (${facts.filter((fact) => fact !== '').join(', ')})`;
}
