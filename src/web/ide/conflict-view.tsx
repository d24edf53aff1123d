import { Text } from '@codemirror/state';
import { useMemo, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ConflictFile } from './conflicts/conflict-file.tsx';
import { mergeTexts } from './conflicts/merge-texts.ts';
import type { FileProgress } from './conflicts/stored-resolutions.ts';
import { textsOf } from './conflicts/use-conflicts.ts';
import type { Conflict, EditorTab } from './editor-tab.ts';
import { type LineEnding, serializeDocument } from './line-endings.ts';

interface ConflictViewProps {
  tab: EditorTab;
  conflict: Conflict;
  /** The reader's own version. */
  mine: string;
  saving: boolean;
  onMerged: (text: string) => void;
  onTake: () => void;
  onBack: () => void;
}

/** Three-way merge of a file that changed on the branch while it was edited; changes of one side are merged already. */
export function ConflictView({ tab, conflict, mine, saving, ...on }: ConflictViewProps) {
  const { t } = useTranslation(['ide', 'editor']);
  const { theirs, path, next } = conflict;
  const [base, ours, other] = textsOf({ base: conflict.base, ours: mine, theirs });
  const merged = useMemo(() => mergeTexts(base, ours, other), [base, ours, other]);
  const [progress, setProgress] = useState<FileProgress>(() => ({
    choice: 'text',
    text: merged.text,
    ranges: merged.conflicts.map(({ from, to }) => ({ from, to, isOpen: true })),
    isResolved: merged.conflicts.length === 0,
  }));
  const open = progress.ranges.filter(({ isOpen }) => isOpen).length;
  const sides = {
    ours: t('conflict.mine'),
    theirs: t('conflict.theirs'),
    take: { ours: t('editor:merge.take_mine'), theirs: t('editor:merge.take_theirs') },
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface">
      <div className="flex flex-col gap-2 border-b border-border p-3">
        <Notice kind="error">
          <ConflictReason conflict={conflict} />{' '}
          {conflict.commit && (open > 0 ? t('editor:merge.open', { count: open }) : t('editor:merge.none'))}
        </Notice>
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            loading={saving}
            disabled={open > 0}
            onClick={() => on.onMerged(withEnding(progress.text, tab.ends))}
          >
            {t(next === 'save' ? 'editor:merge.save' : 'editor:merge.use')}
          </Button>
          {conflict.kind !== 'branch_deleted' && (
            <Button onClick={on.onTake}>{t('conflict.take_theirs')}</Button>
          )}
          <Button kind="ghost" onClick={on.onBack}>
            {t('conflict.back')}
          </Button>
        </div>
      </div>
      <ConflictFile
        conflict={{ path, base, ours, theirs: other }}
        progress={progress}
        sides={sides}
        onProgress={setProgress}
      />
    </div>
  );
}

/** Says why the save was refused. */
function ConflictReason({ conflict: { kind, branch, commit } }: { conflict: Conflict }) {
  const { t } = useTranslation(['ide', 'editor']);
  const words = { branch: branch ?? '', commit: commit?.slice(0, 7) ?? '' };
  if (kind === 'deleted') return t('conflict.deleted');
  return t(`editor:merge.${kind}`, words);
}

function withEnding(text: string, ends: LineEnding): string {
  return serializeDocument(Text.of(text.split('\n')), ends);
}
