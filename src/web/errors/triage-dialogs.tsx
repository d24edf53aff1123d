import { AssignDialog } from './assign-dialog.tsx';
import { DeleteErrorsDialog } from './delete-dialog.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { ResolveInReleaseDialog } from './resolve-in-release-dialog.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import type { Triage } from './use-triage.ts';

interface TriageDialogsProps {
  triage: Triage;
  /** Called after a merge with the error that has the others now. */
  onMerged: (id: string) => void;
  onDeleted: () => void;
}

/** The open dialog of the actions on errors. */
export function TriageDialogs({ triage, onMerged, onDeleted }: TriageDialogsProps) {
  if (!triage.dialog) return null;
  const { kind, errors } = triage.dialog;
  const props = {
    errors,
    onClose: triage.close,
    onChange: (change: Parameters<Triage['change']>[1]) => triage.change(errors, change),
  };
  if (kind === 'release') return <ResolveInReleaseDialog {...props} />;
  if (kind === 'assign') return <AssignDialog {...props} />;
  if (kind === 'snooze') return <SnoozeDialog {...props} />;
  if (kind === 'delete')
    return <DeleteErrorsDialog errors={errors} onClose={triage.close} onDeleted={onDeleted} />;
  return <MergeDialog errors={errors} onClose={triage.close} onMerged={onMerged} />;
}
