import { answerText } from '../answer/answer-text.ts';
import type { IssueRecord } from '../answer/issue-record.ts';
import { formatIssue, formatIssueLine } from '../tools/issues.ts';
import type { ToolContext } from '../tools/tool.ts';

const MAX_NAMED = 2;
const MAX_RELATED = 3;
/** Characters of the text of an issue: of one that the question names, and in the prompt of a model. */
const [MAX_NAMED_TEXT, MAX_PROMPT_TEXT] = [900, 1_500];

/** Puts the issues that the question names before an answer, and lists related ones after it. */
export function addIssues(answer: string, question: string, context: ToolContext): string {
  const issues = context.issues ?? [];
  const named = issues.filter((issue) => isNamed(issue, question)).slice(0, MAX_NAMED);
  const related = issues.filter((issue) => !named.includes(issue)).slice(0, MAX_RELATED);
  const list = related.map((issue) => `- ${formatIssueLine(issue, context)}`);
  return [
    ...named.map((issue) => formatIssue(issue, context, MAX_NAMED_TEXT)),
    answer,
    ...(list.length > 0 && named.length === 0
      ? [`${answerText(context, 'issues.related')}\n\n${list.join('\n')}`]
      : []),
  ].join('\n\n');
}

/** Issues as sections of a model's prompt, where they are data like the rest of the repository's text. */
export function issueSections(context: ToolContext): string[] {
  return (context.issues ?? []).map((issue) => formatIssue(issue, context, MAX_PROMPT_TEXT));
}

function isNamed({ number }: IssueRecord, question: string): boolean {
  return new RegExp(`(?:[#!]|gh-|/)${number}(?!\\d)`, 'i').test(question);
}
