import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Evidence, Place, SimilarError, Suspect } from '#contract/debug.ts';
import type { Hunk } from '#contract/projects.ts';
import { readFileAt } from '#git/file-at.ts';
import type { ErrorReport } from '#investigate/locate/error-report.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { redactSecrets } from '#secrets/redact-secrets.ts';
import { citeCommit, citeLines } from '../answer/citations.ts';
import { fitSections } from '../answer/text-budget.ts';
import type { Turn } from '../models/port.ts';
import type { ErrorAnswer } from './answer-error.ts';

const SYSTEM = readFileSync(new URL('./debug-prompt.md', import.meta.url), 'utf8');

/** Characters of evidence in a prompt. */
const MAX_LENGTH = 28_000;
const MAX_ERROR_LENGTH = 6_000;
const MAX_FIELD_LENGTH = 3_000;
const MAX_PLACES = 6;
/** Lines of a place, and lines of context around it. */
const MAX_PLACE_LINES = 70;
const CONTEXT_LINES = 8;
const MAX_HUNK_LINES = 40;
const MAX_SUSPECTS = 3;
const MAX_SIMILAR_ERRORS = 3;

/** A prompt, with the function that marks further text as data. */
export interface DebugPrompt {
  system: string;
  turns: Turn[];
  quote(text: string): string;
}

interface DebugPromptInput {
  project: string;
  request: ErrorReport;
  found: ErrorAnswer;
  repo: string;
  index: RepositoryIndex;
  /** Loads instructions and guidance files of the project. */
  loadNotes?(): Promise<string>;
}

/** Builds the prompt from the evidence: bounded, secrets redacted, between random boundaries. */
export async function buildDebugPrompt({
  project,
  request,
  found,
  repo,
  index,
  loadNotes,
}: DebugPromptInput): Promise<DebugPrompt> {
  const boundary = `data-${randomBytes(12).toString('hex')}`;
  const quote = (text: string) => `${boundary}\n${redactSecrets(text).replaceAll(boundary, '')}\n${boundary}`;
  const system = SYSTEM.replaceAll('{boundary}', boundary).replace('{project}', () =>
    JSON.stringify(project),
  );
  const sections = [
    `# The error\n\n${truncateMiddle(request.error_message, MAX_ERROR_LENGTH)}`,
    ...describeRequest(request),
    ...(await describePlaces(found, repo, index)),
    ...describeSources(found.evidence, index),
    ...describeKind(found, index),
    ...found.suspect_commits.slice(0, MAX_SUSPECTS).map((suspect, i) => describeSuspect(suspect, i, index)),
    ...found.context.similar_errors
      .slice(0, MAX_SIMILAR_ERRORS)
      .map((similar) => describeSimilarError(similar, index)),
    describeConclusion(found),
  ];
  const evidence = fitSections(sections, MAX_LENGTH);
  const notes = await loadNotes?.();
  const about = notes ? `Notes of the project about itself:\n${quote(notes)}\n\n` : '';
  const content = `${about}The error and the evidence:\n${quote(evidence)}\n\nWhat is wrong, and how can it be fixed?`;
  return { system, turns: [{ role: 'user', content }], quote };
}

function describeRequest({ additional_context, file_path, code_snippet }: ErrorReport): string[] {
  return [
    additional_context
      ? `# The developer's description\n\n${truncateMiddle(additional_context, MAX_FIELD_LENGTH)}`
      : '',
    file_path ? `# The file that the developer named\n\n${file_path}` : '',
    code_snippet
      ? `# Code that the developer added${file_path ? `, of ${file_path}` : ''}\n\n${truncateMiddle(code_snippet, MAX_FIELD_LENGTH)}`
      : '',
  ];
}

async function describePlaces(
  { places, indexed_commit }: ErrorAnswer,
  repo: string,
  index: RepositoryIndex,
): Promise<string[]> {
  const texts = new Map<string, Promise<string | null>>();
  const read = (path: string) => {
    const known = texts.get(path) ?? readFileAt(repo, indexed_commit, path);
    texts.set(path, known);
    return known;
  };
  return await Promise.all(
    places.slice(0, MAX_PLACES).map(async (place, i) => {
      const lines = (await read(place.path))?.split('\n') ?? [];
      return describePlace(place, `p${i + 1}`, { lines, commit: indexed_commit, index });
    }),
  );
}

function describePlace(
  { path, start_line, end_line, symbol, why }: Place,
  id: string,
  { lines, commit, index }: { lines: string[]; commit: string; index: RepositoryIndex },
): string {
  const from = Math.max(1, start_line - CONTEXT_LINES);
  const to = Math.min(lines.length, end_line + CONTEXT_LINES, from + MAX_PLACE_LINES - 1);
  const shown = lines.slice(from - 1, to).map((line, i) => `${from + i}\t${line.slice(0, 300)}`);
  const name = symbol ? ` (${symbol})` : '';
  const cited = citeLines({ path, from, to, commit }, index.commits);
  return `# Place ${id}: ${cited}${name}\n\n${why.text}\n\n${shown.join('\n')}`;
}

/** Frames of the trace, and the code that produces the message. */
function describeSources(evidence: Evidence[], { commits }: RepositoryIndex): string[] {
  const items = evidence
    .filter(({ kind, lines, path }) => (kind === 'frame' || kind === 'origin') && lines && path)
    .map(({ id, path, lines, commit, quote, why }) => {
      const [from, to] = lines!;
      const cited = citeLines({ path: path!, from, to, commit: commit! }, commits);
      return `[${id}] ${cited} ${why.text}\n${quote.slice(0, 400)}`;
    });
  return items.length > 0
    ? [`# Frames of the trace, and the origin of the message\n\n${items.join('\n\n')}`]
    : [];
}

/** The kind of the error with the guard and the facts of the environment, so that the model accuses no commit without cause. */
function describeKind(
  { kind, guard, environment, changed_since: changed, indexed_commit: commit }: ErrorAnswer,
  { commits }: RepositoryIndex,
) {
  const parts: string[] = [];
  if (guard) {
    const cited = citeLines(
      { path: guard.path, from: guard.start_line, to: guard.end_line, commit },
      commits,
    );
    const caller = guard.caller ? ` Called from ${guard.caller.path}:${guard.caller.line ?? '?'}.` : '';
    parts.push(`Raised on purpose by ${cited} when: ${guard.condition || 'always'}.${caller}`);
  }
  if (changed) {
    const { path, line, commit: newer, hunk } = changed;
    const cited = citeCommit(newer.hash, commits);
    parts.push(`The failing line, ${path}:${line}, has changed since the version that failed, in ${cited}.`);
    parts.push(formatHunk(path, hunk));
  }
  if (kind === 'usage')
    parts.push('The caller most likely passed a wrong value; the project has no known fault.');
  for (const { fact, found, required, source } of environment ?? [])
    parts.push(`${fact}: ${found}${required ? `; the project requires ${required} (${source})` : ''}`);
  return parts.length > 0 ? [`# Kind of the error: ${kind}\n\n${parts.join('\n')}`] : [];
}

function describeSuspect(
  { hash, message, author, timestamp, why, path, hunk }: Suspect,
  position: number,
  { commits }: RepositoryIndex,
): string {
  const head = `# Suspect ${position + 1}: ${citeCommit(hash, commits)} by ${author}, ${timestamp.slice(0, 10)}`;
  return `${head}\n\n${message.slice(0, 600)}\n\n${why.text}${formatHunk(path, hunk)}`;
}

function describeSimilarError(earlier: SimilarError, { commits }: RepositoryIndex): string {
  const { content, hash, author, timestamp, outcome, path, hunk, earlier_answer } = earlier;
  const by = [author, timestamp?.slice(0, 10)].filter(Boolean).join(', ');
  const undone =
    outcome && outcome.state !== 'in_place' ? ` (${outcome.state} after ${outcome.days} days)` : '';
  const commit = hash ? ` ${citeCommit(hash, commits)}` : '';
  const answer = earlier_answer
    ? `\n\nThe answer that helped: ${earlier_answer.solution.slice(0, 1_500)}`
    : '';
  return `# Solved before:${commit} ${by}${undone}\n\n${content.slice(0, 600)}${answer}${formatHunk(path, hunk)}`;
}

/** Conclusion of the investigation, which the model may doubt. */
function describeConclusion({ root_cause, patch }: ErrorAnswer): string {
  const cause = root_cause ? root_cause.text : 'There is not enough evidence to name a cause.';
  const proposal = patch
    ? `\n\nA patch that applies and takes back or repeats an earlier change:\n${patch}`
    : '';
  return `# What the history alone suggests\n\n${cause}${proposal}`;
}

function formatHunk(path: string | null | undefined, hunk: Hunk | null | undefined): string {
  if (!hunk) return '';
  const signs = { context: ' ', add: '+', delete: '-' };
  const lines = hunk.lines.slice(0, MAX_HUNK_LINES).map(({ kind, text }) => signs[kind] + text.slice(0, 300));
  return `\n\n${path ?? ''} @@ -${hunk.old_start} +${hunk.new_start} @@\n${lines.join('\n')}`;
}

/** Start and end of a text: the most informative parts of a trace. */
function truncateMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = most / 2;
  return `${text.slice(0, half)}\n[… omitted …]\n${text.slice(-half)}`;
}
