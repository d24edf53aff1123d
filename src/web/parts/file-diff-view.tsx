import type { FileDiff } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { DiffView } from './diff-view.tsx';
import { useNow } from './use-now.ts';

interface FileDiffViewProps {
  file: FileDiff;
  /** Time of the added lines. */
  timestamp: string;
  split?: boolean;
  wrap?: boolean;
}

/** Hunks of one file in a frame; a file without any says why. */
export function FileDiffView({ file, timestamp, split = false, wrap = true }: FileDiffViewProps) {
  const { t } = useTranslation('parts');
  const now = useNow();
  const path = file.new_path ?? file.old_path;
  const isRename = file.old_path !== null && file.new_path !== null && file.old_path !== file.new_path;
  return (
    <div className="overflow-hidden rounded-md border border-border bg-surface">
      {isRename && (
        <p className="border-b border-border px-3.5 py-1.5 font-mono text-sm break-all text-muted">
          {t('change.renamed', { path: file.old_path })}
        </p>
      )}
      {file.hunks.map((hunk, index) => (
        <div
          key={`${hunk.old_start}:${hunk.new_start}`}
          className={index > 0 ? 'border-t border-border' : undefined}
        >
          <DiffView {...{ hunk, path, timestamp, now, split, wrap }} />
        </div>
      ))}
      {file.binary && <p className="px-3.5 py-2 text-muted">{t('change.binary')}</p>}
      {file.hunks.length === 0 && !file.binary && (
        <p className="px-3.5 py-2 text-muted">{t('change.no_lines')}</p>
      )}
      {file.truncated && (
        <p className="border-t border-border px-3.5 py-2 text-muted">{t('change.truncated')}</p>
      )}
    </div>
  );
}
