import type { CheckerPool } from '#diagnose/checker-pool.ts';
import type { CheckerDiagnostic } from '#diagnose/diagnostic.ts';
import { checkPatch } from '#git/apply.ts';
import { readFileAt } from '#git/file-at.ts';
import { findBreakage } from './check-change.ts';

/** Result of verifying a patch: the patch in git's form, or the reason in English why it is invalid. */
export type PatchVerdict = { isValid: true; text: string } | { isValid: false; reason: string };

/** Repository and commit against which a patch is verified. */
export interface VerifyPatchOptions {
  repo: string;
  /** Full hash. */
  commit: string;
  checkers: Pick<CheckerPool, 'check'>;
  signal?: AbortSignal;
}

/**
 * Verifies a patch from a model: it must pass `git apply`, its files must parse and define the names that they use, and no checker may report a new problem.
 * Writes nothing to the repository.
 */
export async function verifyPatch(patch: string, options: VerifyPatchOptions): Promise<PatchVerdict> {
  const result = await checkPatch(options.repo, options.commit, patch);
  if (!result.applies) return { isValid: false, reason: `It does not apply: ${result.reason}` };
  if (result.patch.trim() === '') return { isValid: false, reason: 'It changes nothing.' };
  for (const file of result.files) {
    const reason = await findNewProblem(file, options);
    if (reason) return { isValid: false, reason };
  }
  return { isValid: true, text: result.patch };
}

/** Describes the first new problem of a changed file; null when there is none. */
async function findNewProblem(
  { path, content }: { path: string; content: string },
  { repo, commit, checkers, signal }: VerifyPatchOptions,
): Promise<string | null> {
  const before = (await readFileAt(repo, commit, path)) ?? '';
  const breakage = await findBreakage(
    { path, before, after: content },
    { repository: null, needsGrammar: false, signal },
  );
  if (breakage) return breakage;
  const existing = new Map<string, number>();
  for (const finding of (await checkers.check({ path, text: before }, { signal })).diagnostics) {
    existing.set(diagnosticKey(finding), (existing.get(diagnosticKey(finding)) ?? 0) + 1);
  }
  for (const finding of (await checkers.check({ path, text: content }, { signal })).diagnostics) {
    const left = existing.get(diagnosticKey(finding)) ?? 0;
    existing.set(diagnosticKey(finding), left - 1);
    if (left === 0 && finding.severity !== 'info') {
      return `With it ${finding.source} finds at line ${finding.line} of \`${path}\`: ${finding.message}`;
    }
  }
  return null;
}

/** Identifies a diagnostic without its line, since a patch moves the lines below it. */
function diagnosticKey({ source, message }: CheckerDiagnostic): string {
  return `${source} ${message}`;
}
