import type { CHANGE_EVENTS, FunctionChange } from '#contract/code.ts';
import { MAX_FUNCTION_CHANGES } from '#contract/code.ts';
import { AppError } from '#contract/errors.ts';
import { isoTime } from '#contract/iso-time.ts';
import { type DefinitionChange, traceDefinition } from '#evolution/definition-history.ts';
import { lastName, listDefinitionVersions } from '#evolution/definition-versions.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { diffLines } from '#evolution/line-diff.ts';
import { readFileAt } from '#git/file-at.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { type ChangeLabel, labelChange } from './label-change.ts';
import { traceLines } from './line-trace.ts';
import type { TracedChange } from './traced-change.ts';

/** The history then ends early, and says so. */
const TRACE_TIMEOUT_MS = 20_000;

type Event = (typeof CHANGE_EVENTS)[number];

interface Span {
  name: string;
  start: number;
  end: number;
}

interface FunctionRequest {
  repo: string;
  index: RepositoryIndex;
  path: string;
  name: string;
  /** Receives each change when it is found, newest first. */
  onChange?: ((change: FunctionChange) => void) | undefined;
  signal: AbortSignal;
}

/** Follows a function back through renames and moves; every change is labelled. Throws `not_found`. */
export async function listFunctionChanges(request: FunctionRequest) {
  const { index, path, name, signal } = request;
  const span = (index.code && findSpan(index.code, path, name)) ?? (await findSpanInText(request));
  if (!span) throw new AppError('not_found', 'definition_not_found');
  const changes: FunctionChange[] = [];
  // One at a time, while older changes are looked for.
  let presented = Promise.resolve();
  const onTraced = (change: TracedChange) => {
    presented = presented.then(async () => {
      signal.throwIfAborted();
      if (changes.length === MAX_FUNCTION_CHANGES) return;
      const next = await presentChange(index, change);
      changes.push(next);
      request.onChange?.(next);
    });
    // Awaited below, unless the trace fails first.
    presented.catch(() => undefined);
  };
  const complete = await trace(request, span, onTraced);
  await presented;
  return { ...span, path, commit: index.revision, changes, complete };
}

/** Follows the definition by its grammar, or its lines where the language has none; false where the history goes on. */
async function trace(
  { repo, index, path, signal }: FunctionRequest,
  span: Span,
  onTraced: (change: TracedChange) => void,
): Promise<boolean> {
  const { commits, revision } = index;
  const text = (await readFileAt(repo, revision, path)) ?? '';
  const found = await traceDefinition({
    ...{ repo, commits, path, text, ...span, signal },
    maxChanges: MAX_FUNCTION_CHANGES,
    timeoutMs: TRACE_TIMEOUT_MS,
    onChange: (change) => onTraced(toTraced(change)),
  });
  if (found) return found.complete;
  const lines = { commit: revision, path, from: span.start, to: span.end };
  const maxCommits = MAX_FUNCTION_CHANGES;
  const { changes, complete } = await traceLines(index, {
    ...{ repo, name: span.name, ...lines, maxCommits, signal },
  });
  for (const change of changes) onTraced(change);
  return complete;
}

function toTraced({ before, after, ...change }: DefinitionChange): TracedChange {
  const [old, fresh] = [before?.text.split('\n') ?? [], after.text.split('\n')];
  return {
    ...change,
    before: before && old,
    after: fresh,
    hunks: diffLines({ start: before?.start ?? 0, lines: old }, { start: after.start, lines: fresh }),
    formerName: before && before.name !== after.name ? before.name : null,
  };
}

/** Lines of the definition with this full name in a file, or of the only one with its last part. */
function findSpan(code: CodeTable, path: string, name: string): Span | null {
  const file = code.fileNumber(path);
  if (file < 0) return null;
  const { first, count } = code.filePassages(file);
  const passages = Array.from({ length: count }, (_, i) => first + i);
  const symbolOf = (passage: number) => code.passageSymbol(passage) ?? '';
  const exact = passages.filter((passage) => symbolOf(passage) === name);
  const last = name.split('.').at(-1);
  const found =
    exact.length > 0 ? exact : passages.filter((passage) => symbolOf(passage).split('.').at(-1) === last);
  if (found.length === 0) return null;
  // A long definition is cut into several passages of one symbol.
  const lines = found
    .filter((one) => symbolOf(one) === symbolOf(found[0]!))
    .map((one) => code.passageLines(one));
  return {
    name: symbolOf(found[0]!),
    start: Math.min(...lines.map(({ start }) => start)),
    end: Math.min(Math.max(...lines.map(({ end }) => end)), code.fileLines(file)),
  };
}

/** The same by the grammar: short definitions share a passage, which has the name of one of them or none. */
async function findSpanInText({ repo, index, path, name, signal }: FunctionRequest): Promise<Span | null> {
  if (!index.code || index.code.fileNumber(path) < 0) return null;
  const text = await readFileAt(repo, index.revision, path);
  const found = text === null ? [] : await listDefinitionVersions(path, text, signal);
  const last = lastName(name);
  const span = found.find((one) => one.name === name) ?? found.find((one) => lastName(one.name) === last);
  return span ? { name: span.name, start: span.start, end: span.end } : null;
}

async function presentChange(index: RepositoryIndex, change: TracedChange): Promise<FunctionChange> {
  const { commit, path, movedFrom, formerName, hunks } = change;
  const label = await labelOf(index, change);
  // A fix of types, blanks or comments did not fix the function.
  const isFix = (label === 'behavior' || label === 'refactoring') && isFixCommit(index, commit);
  return {
    ...presentMessage(index, commit),
    ...{ path, label, event: eventOf(change, isFix), from: movedFrom ?? formerName, diff: hunks },
  };
}

function labelOf({ commits }: RepositoryIndex, change: TracedChange): Promise<ChangeLabel> | ChangeLabel {
  const { commit, path, before, after, movedFrom } = change;
  if (before === null) return 'behavior';
  if (movedFrom && before.join('\n') === after.join('\n')) return 'refactoring';
  return labelChange({ path, before, after, subject: commits.subject(commit) });
}

function presentMessage({ commits }: RepositoryIndex, number: number) {
  return {
    hash: commits.oid(number),
    subject: commits.subject(number).slice(0, 300),
    body: commits
      .message(number)
      .replace(/^.*\n?/, '')
      .trim()
      .slice(0, 4_000),
    author: commits.author(number),
    timestamp: isoTime(commits.time(number)),
  };
}

function eventOf({ before, movedFrom, formerName }: TracedChange, isFix: boolean): Event {
  if (before === null) return 'introduced';
  if (movedFrom) return 'moved';
  if (formerName) return 'renamed';
  return isFix ? 'fixed' : 'changed';
}
