import { answerText } from '../answer/answer-text.ts';
import type { IssueRecord } from '../answer/issue-record.ts';
import { formatIssue, formatIssueLine } from '../tools/issues.ts';
import type { ToolContext } from '../tools/tool.ts';

const MAX_NAMED = 2;
const MAX_RELATED = 3;
/** Characters of the text of an issue: of one that the question names, and in the prompt of a model. */
const [MAX_NAMED_TEXT, MAX_PROMPT_TEXT] = [900, 1_500];

/** Lists the issues whose number a question names. */
export function listNamedIssues(question: string, issues: readonly IssueRecord[] = []): IssueRecord[] {
  const isNamed = ({ number }: IssueRecord) =>
    new RegExp(`(?:[#!]|gh-|/)${number}(?!\\d)`, 'i').test(question);
  return issues.filter(isNamed).slice(0, MAX_NAMED);
}

/** Puts the named issues before an answer, and the related ones after it. */
export function addIssues(
  answer: string,
  { named, related = [] }: { named: readonly IssueRecord[]; related?: readonly IssueRecord[] | undefined },
  context: ToolContext,
): string {
  const list = related.slice(0, MAX_RELATED).map((issue) => `- ${formatIssueLine(issue, context)}`);
  return [
    ...named.map((issue) => formatIssue(issue, context, MAX_NAMED_TEXT)),
    answer,
    list.length > 0 ? `${answerText(context, 'issues.related')}\n\n${list.join('\n')}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Issues as sections of a model's prompt, where they are data like the rest of the repository's text. */
export function issueSections(context: ToolContext): string[] {
  return (context.issues ?? []).map((issue) => formatIssue(issue, context, MAX_PROMPT_TEXT));
}
