import { parseQuery, type Query } from '#search/lexical/parse-query.ts';
import type { Trace } from '../trace/trace.ts';

/** A report of an error. */
export interface ErrorReport {
  error_message: string;
  code_snippet?: string | null;
  file_path?: string | null;
  additional_context?: string | null;
}

/** Lines that every trace contains. */
const BOILERPLATE =
  /^\s*(?:Traceback \(most recent call last\):|During handling of the above exception|The above exception was the direct cause|at (?:async )?(?:node:|internal\/)|[\^~\s]+$)/;

/** The report as one text: trace, context, and the code snippet in a code block. */
export function reportText(report: ErrorReport, trace: Trace): string {
  const parts = [trace.lines.filter((line) => !BOILERPLATE.test(line)).join('\n')];
  if (report.additional_context) parts.push(report.additional_context);
  if (report.code_snippet) parts.push(`\`\`\`\n${report.code_snippet}\n\`\`\``);
  return parts.join('\n\n');
}

/** Parses a report into a query, for ranking files and commits. */
export function reportQuery(report: ErrorReport, trace: Trace): Query {
  return parseQuery(reportText(report, trace));
}
