import { isolateHistory } from '@codemirror/commands';
import { useState } from 'react';
import type { QuickFix } from '#contract/analysis.ts';
import { useTranslation } from '../../i18n.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { useNow } from '../../parts/use-now.ts';
import { Button } from '../../ui/button.tsx';
import type { Workspace } from '../use-workspace.ts';
import { fixChanges, previewFix } from './fix-edits.ts';

interface FixPreviewProps {
  workspace: Workspace;
  path: string;
  fixes: readonly QuickFix[];
  onClose: () => void;
}

/** Quick fixes of a finding: what each changes, before it is applied. Applying is one step of undo. */
export function FixPreview({ workspace, path, fixes, onClose }: FixPreviewProps) {
  const { t } = useTranslation('analysis');
  const [chosen, setChosen] = useState(0);
  const fix = fixes[Math.min(chosen, fixes.length - 1)]!;
  const apply = () => {
    const state = workspace.documentOf(path);
    if (!state) return;
    workspace.dispatch(path, {
      changes: fixChanges(state, fix),
      annotations: isolateHistory.of('full'),
      userEvent: 'input.fix',
      scrollIntoView: true,
    });
    onClose();
    workspace.view.current?.focus();
  };
  return (
    <div className="mb-2 ml-7 flex flex-col gap-2 rounded-md border border-border bg-surface p-2">
      {fixes.length > 1 ? (
        <div role="radiogroup" aria-label={t('fix.choose')} className="flex flex-col gap-1">
          {fixes.map(({ title }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
            <label key={at} className="flex items-start gap-2">
              <input
                type="radio"
                name="fix"
                checked={at === chosen}
                onChange={() => setChosen(at)}
                className="mt-1"
              />
              <span className="wrap-anywhere">{title || t('fix.untitled')}</span>
            </label>
          ))}
        </div>
      ) : (
        <p className="wrap-anywhere">{fix.title || t('fix.untitled')}</p>
      )}
      <Preview workspace={workspace} path={path} fix={fix} />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" kind="primary" onClick={apply}>
          {t('fix.apply')}
        </Button>
        <Button size="small" onClick={onClose}>
          {t('fix.cancel')}
        </Button>
        <span className="text-sm text-muted">{t('fix.undo_hint')}</span>
      </div>
    </div>
  );
}

function Preview({ workspace, path, fix }: { workspace: Workspace; path: string; fix: QuickFix }) {
  const now = useNow();
  const state = workspace.documentOf(path);
  if (!state) return null;
  return (
    <div className="overflow-hidden rounded-sm border border-border">
      {previewFix(state, fix).map((hunk) => (
        <DiffView
          key={hunk.old_start}
          hunk={hunk}
          path={path}
          timestamp={new Date(now).toISOString()}
          now={now}
        />
      ))}
    </div>
  );
}
