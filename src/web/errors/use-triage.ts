import { useState } from 'react';
import type { ErrorChange, ErrorGroup } from '#contract/error-groups.ts';
import { useErrorChanges } from '../parts/use-error-changes.ts';

/** Dialog of the actions on errors. */
type TriageDialog = 'release' | 'assign' | 'snooze' | 'merge' | 'delete';

/** True when errors can be merged, or get a member or a release of their project. */
export function isOneProject(errors: readonly ErrorGroup[]): boolean {
  return new Set(errors.map((error) => error.project_id)).size === 1;
}

/** Changes of errors and the dialog that asks for their details; `onDone` follows every change. */
export function useTriage(onDone: () => void = () => {}) {
  const changes = useErrorChanges();
  const [dialog, setDialog] = useState<{ kind: TriageDialog; errors: ErrorGroup[] } | null>(null);
  return {
    dialog,
    isPending: changes.isPending,
    error: changes.error,
    retry: () => changes.variables && changes.mutate(changes.variables),
    ask: (kind: TriageDialog, errors: ErrorGroup[]) => errors.length > 0 && setDialog({ kind, errors }),
    close: () => setDialog(null),
    change: (errors: ErrorGroup[], change: ErrorChange) => {
      if (errors.length === 0) return;
      setDialog(null);
      changes.mutate({ errors, change }, { onSuccess: onDone });
    },
    /** Resolves errors; opens them again when all are solved. */
    toggleSolved: (errors: ErrorGroup[]) => {
      if (errors.length === 0) return;
      const state = errors.every((error) => error.state === 'solved') ? 'open' : 'solved';
      changes.mutate({ errors, change: { state } }, { onSuccess: onDone });
    },
  };
}
export type Triage = ReturnType<typeof useTriage>;
