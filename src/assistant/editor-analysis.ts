import type { CheckerDiagnostic } from '#diagnose/diagnostic.ts';
import { assessFixes } from '#evolution/fix-outcomes.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type AnswerLocale, answerText } from './answer/answer-text.ts';
import { escapeMarkdown, formatCommit, formatFixOutcome, inlineCode } from './answer/markdown.ts';

const MAX_DIAGNOSTICS = 5;
const MAX_FIXES = 3;
const CONTEXT_LINES = 4;
const MAX_EXCERPTS = 5;

/** Findings about a file in the editor. */
interface AnalysisInput {
  findings: CheckerDiagnostic[];
  /** The answer to the error that the reader named, in markdown. */
  answer: string | null;
  /** Markdown of `formatEarlierFixes`. */
  earlierFixes: string | null;
}

/** Formats checker findings, the answer to an error and earlier fixes as markdown; null when all are empty. */
export function formatAnalysis(
  { findings, answer, earlierFixes }: AnalysisInput,
  locale: AnswerLocale,
): string | null {
  const parts = [answer, diagnosticsSection(findings, locale), earlierFixes].filter((part) => part !== null);
  return parts.length > 0 ? parts.join('\n\n') : null;
}

function diagnosticsSection(diagnostics: CheckerDiagnostic[], locale: AnswerLocale): string | null {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const shown = (errors.length > 0 ? errors : diagnostics).slice(0, MAX_DIAGNOSTICS);
  if (shown.length === 0) return null;
  const items = shown.map(({ line, message, source }) => {
    const params = { line, message: formatCheckerMessage(message), source: inlineCode(source) };
    return `- ${answerText(locale, 'analysis.finding', params)}`;
  });
  const rest = diagnostics.length - shown.length;
  if (rest > 0) items.push(`- ${answerText(locale, 'analysis.more_findings', { count: rest })}`);
  const lead =
    errors.length > 0
      ? answerText(locale, 'analysis.errors', { count: errors.length, line: errors[0]!.line })
      : answerText(locale, 'analysis.no_errors');
  return `### ${answerText(locale, 'analysis.title')}\n\n${lead}\n\n${items.join('\n')}`;
}

/** A checker's message as markdown, with its backticked parts as code. */
function formatCheckerMessage(message: string): string {
  return message
    .split('`')
    .map((part, i) => (i % 2 === 0 ? escapeMarkdown(part) : inlineCode(part)))
    .join('');
}

/** Formats the latest fixes of the file with their outcomes; null for none. */
export async function formatEarlierFixes(
  path: string,
  context: AnswerLocale & { repo: string; index: RepositoryIndex; signal?: AbortSignal },
): Promise<string | null> {
  const { repo, index, now, signal } = context;
  const number = index.commits.pathNumber(path);
  if (number < 0) return null;
  const commits: number[] = [];
  for (const commit of index.commits.touching(number)) {
    if (isFixCommit(index, commit)) commits.push(commit);
    if (commits.length === MAX_FIXES) break;
  }
  if (commits.length === 0) return null;
  const outcomes = await assessFixes({ repo, index, commits, now, signal });
  const items = commits.map(
    (commit, at) => `- ${formatCommit(index, commit)}. ${formatFixOutcome(outcomes[at]!, context)}`,
  );
  return `### ${answerText(context, 'analysis.earlier_fixes')}\n\n${items.join('\n')}`;
}

/** Lines around the errors that checkers found, as code to search by; null for none. */
export function excerptAroundErrors(text: string, diagnostics: CheckerDiagnostic[]): string | null {
  const lines = text.split('\n');
  const excerptLines = new Set<number>();
  for (const { line } of diagnostics.filter(({ severity }) => severity === 'error').slice(0, MAX_EXCERPTS)) {
    for (let at = line - CONTEXT_LINES; at <= line + CONTEXT_LINES; at++) excerptLines.add(at);
  }
  const excerpt = lines.filter((line, i) => excerptLines.has(i + 1) && line.length < 1_000);
  return excerpt.length > 0 ? excerpt.join('\n') : null;
}
