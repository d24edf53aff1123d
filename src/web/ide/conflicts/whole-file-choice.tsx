import type { BranchConflict } from '#contract/branch-updates.ts';
import { useTranslation } from '../../i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { SideNames } from './sides.ts';
import type { FileProgress } from './stored-resolutions.ts';

interface WholeFileChoiceProps {
  conflict: BranchConflict;
  progress: FileProgress;
  sides: SideNames;
  onProgress: (progress: FileProgress) => void;
}

/** Choice of a side for a file that one side deleted, or that is no text. */
export function WholeFileChoice({ conflict, progress, sides, onProgress }: WholeFileChoiceProps) {
  const { t } = useTranslation('conflicts');
  const { missing } = conflict;
  const deletedBy = missing.theirs ? sides.theirs : missing.ours ? sides.ours : null;
  return (
    <div className="flex flex-col items-start gap-3 p-4">
      <Notice>{deletedBy === null ? t('not_text') : t('deleted', { side: deletedBy })}</Notice>
      <div className="flex flex-wrap gap-2">
        {(['theirs', 'ours'] as const).map((side) => {
          const isChosen = progress.isResolved && progress.choice === side;
          return (
            <Button
              key={side}
              kind={isChosen ? 'primary' : 'plain'}
              aria-pressed={isChosen}
              onClick={() => onProgress({ ...progress, choice: side, isResolved: true })}
            >
              {missing[side] ? t('delete_file') : sides.take[side]}
            </Button>
          );
        })}
      </div>
    </div>
  );
}
