import type { FileDiff, Hunk } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { DiffView } from './diff-view.tsx';
import { HiddenLines } from './hidden-lines.tsx';
import type { Gap } from './split-gap.ts';
import { useNow } from './use-now.ts';

interface FileDiffViewProps {
  file: FileDiff;
  /** Time of the added lines. */
  timestamp: string;
  split?: boolean;
  wrap?: boolean;
  /** Revision after the change, from which the lines between the hunks can be shown. */
  after?: { projectId: string; revision: string };
}

/** Hunks of one file in a frame; a file without any says why. */
export function FileDiffView({ file, timestamp, split = false, wrap = true, after }: FileDiffViewProps) {
  const { t } = useTranslation('parts');
  const now = useNow();
  const { old_path: oldPath, new_path: newPath, hunks } = file;
  const isRename = oldPath !== null && newPath !== null && oldPath !== newPath;
  const source = after && oldPath !== null && newPath !== null ? { ...after, path: newPath } : null;
  const draw = (hunk: Hunk) => (
    <DiffView {...{ hunk, path: newPath ?? oldPath, timestamp, now, split, wrap }} />
  );
  const hidden = (gap: Gap | null, section?: string) =>
    source && gap && (gap.to === null || gap.to >= gap.from) ? (
      <HiddenLines key={`${gap.from}-${gap.to}`} {...{ gap, source, section }}>
        {draw}
      </HiddenLines>
    ) : null;
  return (
    <div className="divide-y divide-border overflow-hidden rounded-md border border-border bg-surface">
      {isRename && (
        <p className="px-3.5 py-1.5 font-mono text-sm break-all text-muted">
          {t('change.renamed', { path: oldPath })}
        </p>
      )}
      {hunks.map((hunk, index) => [
        hidden(gapBefore(hunk, hunks[index - 1]), hunk.header),
        <div key={`${hunk.old_start}:${hunk.new_start}`}>{draw(hunk)}</div>,
      ])}
      {!file.truncated && hidden(gapAfter(hunks.at(-1)))}
      {file.binary && <p className="px-3.5 py-2 text-muted">{t('change.binary')}</p>}
      {hunks.length === 0 && !file.binary && <p className="px-3.5 py-2 text-muted">{t('change.no_lines')}</p>}
      {file.truncated && <p className="px-3.5 py-2 text-muted">{t('change.truncated')}</p>}
    </div>
  );
}

function gapBefore(hunk: Hunk, previous: Hunk | undefined): Gap {
  const from = previous ? previous.new_start + previous.new_lines : 1;
  return { from, to: hunk.new_start - 1, offset: hunk.old_start - hunk.new_start };
}

/** Lines of context that git shows after a change; fewer mean the end of the file. */
const CONTEXT_LINES = 3;

function gapAfter(hunk: Hunk | undefined): Gap | null {
  const isEnd = hunk?.lines.slice(-CONTEXT_LINES).some(({ kind }) => kind !== 'context') ?? true;
  if (!hunk || isEnd) return null;
  const from = hunk.new_start + hunk.new_lines;
  return { from, to: null, offset: hunk.old_start + hunk.old_lines - from };
}
