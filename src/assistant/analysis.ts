import type { Diagnosis } from '#diagnose/check.ts';
import type { Diagnostic } from '#diagnose/diagnostic.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { judgeFixes } from '#evolution/held.ts';
import type { Memory } from '#memory/memory.ts';
import { code, introduceCommit, plain, sayHeld } from './markdown.ts';

const SHOWN_FINDINGS = 5;
const SHOWN_FIXES = 3;
const LINES_AROUND = 4;
const MOST_EXCERPTS = 5;

/** What is known about a file in the editor. */
interface AnalysisInput {
  diagnosis: Diagnosis;
  /** The answer to the error that the reader named, in markdown. */
  answer: string | null;
  /** What `readEarlierFixes` wrote. */
  earlierFixes: string | null;
}

/** Writes up what checkers, the answer to an error and the file's history say; null when none says anything. */
export function writeAnalysis({ diagnosis, answer, earlierFixes }: AnalysisInput): string | null {
  const parts = [answer, findings(diagnosis.diagnostics), earlierFixes].filter((part) => part !== null);
  return parts.length > 0 ? parts.join('\n\n') : null;
}

function findings(diagnostics: Diagnostic[]): string | null {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const shown = (errors.length > 0 ? errors : diagnostics).slice(0, SHOWN_FINDINGS);
  if (shown.length === 0) return null;
  const items = shown.map(
    ({ line, message, source }) => `- Line ${line}: ${quoted(message)} (${code(source)})`,
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
function quoted(message: string): string {
  return message
    .split('`')
    .map((part, index) => (index % 2 === 0 ? plain(part) : code(part)))
    .join('');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The last commits that mended the file, and whether each held; null when there is none. `now` is in seconds. */
export async function readEarlierFixes(
  path: string,
  { repo, memory, now, signal }: { repo: string; memory: Memory; now: number; signal?: AbortSignal },
): Promise<string | null> {
  const number = memory.commits.pathNumber(path);
  if (number < 0) return null;
  const commits: number[] = [];
  for (const commit of memory.commits.touching(number)) {
    if (isFixCommit(memory, commit)) commits.push(commit);
    if (commits.length === SHOWN_FIXES) break;
  }
  if (commits.length === 0) return null;
  const held = await judgeFixes({ repo, memory, commits, now, signal });
  const items = commits.map((commit, at) => `- ${introduceCommit(memory, commit)}. ${sayHeld(held[at]!)}`);
  return `### Fixed in this file before\n\n${items.join('\n')}`;
}

/** The lines around what checkers call errors, for a search for the cause; null when there is none. */
export function excerpt(text: string, diagnostics: Diagnostic[]): string | null {
  const lines = text.split('\n');
  const wanted = new Set<number>();
  for (const { line } of diagnostics.filter(({ severity }) => severity === 'error').slice(0, MOST_EXCERPTS)) {
    for (let at = line - LINES_AROUND; at <= line + LINES_AROUND; at++) wanted.add(at);
  }
  const kept = lines.filter((line, index) => wanted.has(index + 1) && line.length < 1_000);
  return kept.length > 0 ? kept.join('\n') : null;
}
