import type { OwnBranch } from '#contract/branches.ts';
import type { Project } from '#contract/projects.ts';
import type { BranchDialog } from './branch-row.tsx';
import { PullRequestDialog } from './pull-request-dialog.tsx';
import { PushDialog } from './push-dialog.tsx';
import { DeleteBranchDialog, ExportDialog, RenameBranchDialog } from './small-dialogs.tsx';
import { UpdateDialog } from './update-dialog.tsx';

interface BranchDialogsProps {
  kind: BranchDialog;
  project: Project;
  branch: OwnBranch;
  onOpen: (kind: BranchDialog) => void;
  onClose: () => void;
}

/** Props of each dialog of a branch. */
export type BranchDialogProps = Pick<BranchDialogsProps, 'project' | 'branch' | 'onClose'>;

/** The open dialog of a branch. */
export function BranchDialogs({ kind, onOpen, ...props }: BranchDialogsProps) {
  if (kind === 'push') return <PushDialog {...props} onPullRequest={() => onOpen('pull')} />;
  if (kind === 'pull') return <PullRequestDialog {...props} />;
  if (kind === 'update') return <UpdateDialog {...props} />;
  if (kind === 'rename') return <RenameBranchDialog {...props} />;
  if (kind === 'delete') return <DeleteBranchDialog {...props} />;
  return <ExportDialog {...props} />;
}
