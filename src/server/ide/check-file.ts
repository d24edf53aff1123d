import {
  type Check,
  type Diagnostic,
  MAX_DIAGNOSTICS,
  type QuickFix,
  type TypeCheck,
} from '#contract/analysis.ts';
import { AppError } from '#contract/errors.ts';
import { MAX_EDITED_BYTES } from '#contract/ide.ts';
import type { CheckerPool } from '#diagnose/checker-pool.ts';
import type { TypeChecker } from '#diagnose/types/type-checker.ts';
import { isTypedPath, type TypeDiagnosis } from '#diagnose/types/type-task.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { resolveVersion } from './files.ts';
import { openTypeProject } from './type-project.ts';

/** Checkers of the editor: of one text, and of types with the other files. */
export interface Checkers {
  texts: CheckerPool;
  types: TypeChecker;
}

interface CheckContext {
  deps: Deps;
  checkers: Checkers;
  project: AccessibleProject;
  userId: string;
  signal: AbortSignal;
}

interface CheckedText {
  code: string;
  file_path: string;
  ref?: string | null | undefined;
  unsaved: readonly { path: string; code: string }[];
  with_fixes?: boolean;
  only_changes?: boolean;
}

/** Fixes of a finding, edits of a fix and characters of an edit. */
const [MAX_FIXES, MAX_FIX_EDITS, MAX_FIX_LENGTH] = [10, 200, 10_000];

const SEVERITIES = { error: 0, warning: 1, info: 2 };

/**
 * Checks a text of the editor, and its types with the files of the version. A check of types that fails leaves the findings of the
 * other checkers.
 * @throws AppError `too_large` above 1 MiB
 */
export async function checkText(context: CheckContext, text: CheckedText): Promise<Check> {
  if (Buffer.byteLength(text.code) > MAX_EDITED_BYTES) {
    throw new AppError('too_large', 'file_too_large_to_check');
  }
  const { checked, types } = await runCheckers(context, text);
  const { diagnostics, checkedBy } = checked;
  const diagnosis = types?.diagnosis;
  return {
    errors: mergeFindings(diagnostics, diagnosis?.diagnostics ?? []),
    checkers: [...checkedBy, ...(diagnosis ? ['TypeScript'] : [])],
    types: types && {
      status: types.status,
      hidden: diagnosis?.hidden ?? 0,
      missing_packages: diagnosis?.missingPackages ?? [],
      is_partial: diagnosis?.isPartial ?? false,
    },
  };
}

/** Runs both checks at once. Types mean nothing where the syntax is broken: their check then ends. */
async function runCheckers(context: CheckContext, text: CheckedText) {
  const { checkers, userId, signal } = context;
  const ending = new AbortController();
  const typesContext = { ...context, signal: AbortSignal.any([signal, ending.signal]) };
  const pending = isTypedPath(text.file_path) ? checkTypes(typesContext, text) : null;
  // Awaited below, unless the other check fails first.
  pending?.catch(() => undefined);
  try {
    const file = { path: text.file_path, text: text.code };
    const checked = await checkers.texts.check(file, { signal, userId });
    const isBroken = checked.diagnostics.some(({ source }) => source === 'biome parse');
    return { checked, types: isBroken ? null : await pending };
  } finally {
    ending.abort();
  }
}

/** Starts the checkers of a project whose files are being listed, so that the first check finds them ready. */
export async function prepareCheckers(context: CheckContext): Promise<void> {
  const { deps, checkers, project, userId, signal } = context;
  const repo = await deps.projectFiles.repositories.open(project.id);
  const { commit } = await resolveVersion(deps, repo, { project, userId, signal });
  await checkers.types.prepare(openTypeProject(repo, { id: project.id, commit }), { signal, userId });
}

/** Joins the findings, errors first. One place has one finding, that of the types. */
function mergeFindings(texts: readonly Diagnostic[], types: readonly Diagnostic[]): Diagnostic[] {
  const places = new Set(types.map(placeOf));
  return [...types, ...texts.filter((one) => !places.has(placeOf(one)))]
    .toSorted((a, b) => SEVERITIES[a.severity] - SEVERITIES[b.severity] || a.line - b.line)
    .slice(0, MAX_DIAGNOSTICS)
    .map((one) => (one.fixes ? { ...one, fixes: one.fixes.filter(isSmallFix).slice(0, MAX_FIXES) } : one));
}

/** False for a fix that rewrites much of the file, which no preview would show. */
function isSmallFix({ edits }: QuickFix): boolean {
  return edits.length <= MAX_FIX_EDITS && edits.every(({ text }) => text.length <= MAX_FIX_LENGTH);
}

function placeOf({ line, column }: Diagnostic): string {
  return `${line}:${column}`;
}

async function checkTypes(
  { deps, checkers, project, userId, signal }: CheckContext,
  {
    code,
    file_path: path,
    ref,
    unsaved,
    with_fixes: withFixes = false,
    only_changes: onlyChanges,
  }: CheckedText,
): Promise<{ status: TypeCheck['status']; diagnosis: TypeDiagnosis | null }> {
  const repo = await deps.projectFiles.repositories.open(project.id);
  try {
    const { commit } = await resolveVersion(deps, repo, { project, userId, ref: ref ?? null, signal });
    const files = openTypeProject(repo, { id: project.id, commit });
    const others = Object.fromEntries(unsaved.map((one) => [one.path, one.code]));
    const file = { path, text: code, unsaved: others, withFixes, ...(onlyChanges && { onlyChanges }) };
    return { status: 'checked', diagnosis: await checkers.types.check(file, files, { signal, userId }) };
  } catch (error) {
    if (!(error instanceof AppError) || signal.aborted) throw error;
    return { status: statusOf(error), diagnosis: null };
  }
}

/** Status of a check that did not end. Throws what is not about the checker: an unknown version. */
function statusOf(error: AppError): TypeCheck['status'] {
  if (error.reason === 'timed_out') return 'timed_out';
  if (error.reason === 'busy') return 'busy';
  if (error.reason === 'checker_limit') return 'too_large';
  // Before the first indexing, and where it failed, there is no version to check with.
  if (error.code === 'unavailable' || error.reason === 'index_failed') return 'stopped';
  throw error;
}
