import type { Diagnosis } from '#diagnose/check.ts';
import type { Diagnostic } from '#diagnose/diagnostic.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { judgeFixes } from '#evolution/fix-outcomes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { escapeMarkdown, formatCommit, formatFixOutcome, inlineCode } from './markdown.ts';

const MAX_DIAGNOSTICS = 5;
const MAX_FIXES = 3;
const CONTEXT_LINES = 4;
const MAX_EXCERPTS = 5;

/** What is known about a file in the editor. */
interface AnalysisInput {
  diagnosis: Diagnosis;
  /** The answer to the error that the reader named, in markdown. */
  answer: string | null;
  /** What `readEarlierFixes` wrote. */
  earlierFixes: string | null;
}

/** Writes up what checkers, the answer to an error and the file's history say; null when none says anything. */
export function formatAnalysis({ diagnosis, answer, earlierFixes }: AnalysisInput): string | null {
  const parts = [answer, diagnosticsSection(diagnosis.diagnostics), earlierFixes].filter(
    (part) => part !== null,
  );
  return parts.length > 0 ? parts.join('\n\n') : null;
}

function diagnosticsSection(diagnostics: Diagnostic[]): string | null {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const shown = (errors.length > 0 ? errors : diagnostics).slice(0, MAX_DIAGNOSTICS);
  if (shown.length === 0) return null;
  const items = shown.map(
    ({ line, message, source }) => `- Line ${line}: ${formatCheckerMessage(message)} (${inlineCode(source)})`,
  );
  const rest = diagnostics.length - shown.length;
  if (rest > 0) items.push(`- and ${rest} more in the list of issues`);
  const lead =
    errors.length > 0
      ? `The file has ${count(errors.length, 'error')}; mend line ${errors[0]!.line} first, for later ones may follow from it.`
      : 'Nothing here keeps the file from running; these places deserve a look.';
  return `### What the checkers say\n\n${lead}\n\n${items.join('\n')}`;
}

/** A checker's words, with what it sets between backticks as code. */
function formatCheckerMessage(message: string): string {
  return message
    .split('`')
    .map((part, index) => (index % 2 === 0 ? escapeMarkdown(part) : inlineCode(part)))
    .join('');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The last commits that mended the file, and whether each held; null when there is none. `now` is in seconds. */
export async function formatEarlierFixes(
  path: string,
  { repo, memory, now, signal }: { repo: string; memory: RepositoryIndex; now: number; signal?: AbortSignal },
): Promise<string | null> {
  const number = memory.commits.pathNumber(path);
  if (number < 0) return null;
  const commits: number[] = [];
  for (const commit of memory.commits.touching(number)) {
    if (isFixCommit(memory, commit)) commits.push(commit);
    if (commits.length === MAX_FIXES) break;
  }
  if (commits.length === 0) return null;
  const held = await judgeFixes({ repo, memory, commits, now, signal });
  const items = commits.map(
    (commit, at) => `- ${formatCommit(memory, commit)}. ${formatFixOutcome(held[at]!)}`,
  );
  return `### Fixed in this file before\n\n${items.join('\n')}`;
}

/** The lines around what checkers call errors, for a search for the cause; null when there is none. */
export function excerptAroundErrors(text: string, diagnostics: Diagnostic[]): string | null {
  const lines = text.split('\n');
  const wanted = new Set<number>();
  for (const { line } of diagnostics.filter(({ severity }) => severity === 'error').slice(0, MAX_EXCERPTS)) {
    for (let at = line - CONTEXT_LINES; at <= line + CONTEXT_LINES; at++) wanted.add(at);
  }
  const kept = lines.filter((line, index) => wanted.has(index + 1) && line.length < 1_000);
  return kept.length > 0 ? kept.join('\n') : null;
}
