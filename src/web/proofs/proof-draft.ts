import type { ProofKind, ProofPlan, ProofRequest } from '#contract/proofs.ts';
import { accusedCommit } from '../parts/verdict-claims.ts';
import type { ProvedSession } from './proof-dialog.tsx';

/** A patch that can be verified: `answer`, `unsaved`, `revert:<hash>` or `branch:<name>`. */
export type PatchOption = 'answer' | 'unsaved' | `revert:${string}` | `branch:${string}`;

/** Inputs of a proof as they are edited. */
export interface ProofDraft {
  kind: ProofKind;
  command: string;
  good: string;
  bad: string;
  script: { path: string; text: string } | null;
  /** Wider test command; empty for none. */
  check: string;
  patch: PatchOption | null;
  /** Changes of the editor that are not saved, as a unified diff; null without any. */
  unsaved: string | null;
}

/** Properties of every field of the form. */
export interface DraftFieldProps {
  draft: ProofDraft;
  plan: ProofPlan;
  session: ProvedSession;
  errors: Readonly<Record<string, string>>;
  onChange: (part: Partial<ProofDraft>) => void;
}

/** Patches that can be verified: unsaved changes, that of the answer, the revert of its suspect, and the reader's branches. */
export function patchOptions(
  { answer }: ProvedSession,
  { branches }: ProofPlan,
  unsaved: string | null = null,
): PatchOption[] {
  const suspect = accusedCommit(answer);
  return [
    ...(unsaved === null ? [] : ['unsaved' as const]),
    ...(answer.patch ? ['answer' as const] : []),
    ...(suspect ? [`revert:${suspect.hash}` as const] : []),
    ...branches.map((name) => `branch:${name}` as const),
  ];
}

/** The request of a draft, with the fields of its kind alone. */
export function toProofRequest(draft: ProofDraft, { answer }: ProvedSession): ProofRequest {
  const { kind, script } = draft;
  const [source, name = ''] = splitOption(draft.patch);
  return {
    kind,
    command: draft.command.trim(),
    ...(script && { script }),
    ...(kind === 'bisect' && { good: draft.good.trim() || null, bad: draft.bad.trim() || null }),
    ...(kind === 'verify' && {
      check: draft.check.trim() || null,
      ...(source === 'answer' && { patch: answer.patch }),
      ...(source === 'unsaved' && { patch: draft.unsaved }),
      ...(source === 'revert' && { revert: name }),
      ...(source === 'branch' && { branch: name }),
    }),
  };
}

/** Source and name of an option; a name may contain colons. */
export function splitOption(option: PatchOption | null): [source: string, name?: string] {
  const at = option?.indexOf(':') ?? -1;
  return option === null || at < 0 ? [option ?? ''] : [option.slice(0, at), option.slice(at + 1)];
}
