import { useState } from 'react';
import type { FileDiff } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { useMediaQuery } from '../parts/use-media-query.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { DiffFile } from './diff-file.tsx';
import { pathOf } from './diff-path.ts';
import { DiffTree } from './diff-tree.tsx';
import { ToggleButton } from './toggle-button.tsx';
import { useStoredSwitch } from './use-stored-switch.ts';
import { useViewedFiles } from './use-viewed-files.ts';

interface DiffFilesProps {
  projectId: string;
  files: FileDiff[];
  /** Key under which this browser remembers the files that were viewed. */
  viewedKey: string;
  timestamp: string;
  /** Revisions of both sides; null where there is none. */
  before: string | null;
  after: string;
  hidesBlanks: boolean;
  onHideBlanks: (hide: boolean) => void;
  /** Files of the whole diff. */
  total: number;
}

/** Files from which a field filters them by path. */
const MIN_FILTERED_FILES = 8;

/** Files of a diff with a tree, unified or split, each foldable and markable as viewed. */
export function DiffFiles(props: DiffFilesProps) {
  const { projectId, files, viewedKey, timestamp, before, after, hidesBlanks, onHideBlanks, total } = props;
  const { t, i18n } = useTranslation('code');
  const { format } = new Intl.NumberFormat(i18n.language);
  const [wantsSplit, setSplit] = useStoredSwitch('split', false);
  // Two columns of code do not fit on a phone.
  const isNarrow = useMediaQuery('(width < 40rem)');
  const split = wantsSplit && !isNarrow;
  const [wrap, setWrap] = useStoredSwitch('wrap', true);
  const [closed, setClosed] = useState<ReadonlySet<string> | 'default'>('default');
  const { viewed, setViewed } = useViewedFiles(viewedKey);
  const [filter, setFilter] = useState('');
  if (files.length === 0)
    return <p className="text-muted">{t(hidesBlanks ? 'diff.only_blanks' : 'diff.none')}</p>;
  const allPaths = files.map(pathOf);
  const isClosed = (path: string) => (closed === 'default' ? viewed.has(path) : closed.has(path));
  const wanted = filter.trim().toLowerCase();
  const shown = files.filter((file) => pathOf(file).toLowerCase().includes(wanted));
  const close = (path: string, close: boolean) => {
    const next = new Set(allPaths.filter((one) => (one === path ? close : isClosed(one))));
    setClosed(next);
  };
  return (
    <>
      <div className="sticky top-12 z-20 -mx-1 mb-3 flex flex-wrap items-center gap-2 bg-background px-1 py-1.5">
        {!isNarrow && (
          <ToggleButton pressed={split} onChange={setSplit}>
            {t('diff.split')}
          </ToggleButton>
        )}
        <ToggleButton pressed={hidesBlanks} onChange={onHideBlanks}>
          {t('diff.hide_blanks')}
        </ToggleButton>
        <ToggleButton pressed={wrap} onChange={setWrap}>
          {t('wrap')}
        </ToggleButton>
        <Button kind="ghost" onClick={() => setClosed(new Set(allPaths))}>
          {t('diff.collapse')}
        </Button>
        <Button kind="ghost" onClick={() => setClosed(new Set())}>
          {t('diff.expand')}
        </Button>
        {files.length > MIN_FILTERED_FILES && (
          <div className="w-44">
            <Input
              type="search"
              value={filter}
              onChange={(event) => setFilter(event.currentTarget.value)}
              aria-label={t('diff.filter')}
              placeholder={t('diff.filter')}
            />
          </div>
        )}
        <span className="ml-auto text-muted" role="status">
          {t('diff.viewed_count', {
            viewed: format(allPaths.filter((path) => viewed.has(path)).length),
            total: format(total),
            count: total,
          })}
        </span>
      </div>
      <div className={files.length > 1 ? 'diff-columns' : undefined}>
        {files.length > 1 && <DiffTree files={shown} viewed={viewed} />}
        <div className="flex min-w-0 flex-col gap-4">
          {shown.map((file) => {
            const path = pathOf(file);
            return (
              <DiffFile
                key={`${file.old_path}\0${file.new_path}`}
                {...{ projectId, file, timestamp, before, after, split, wrap }}
                closed={isClosed(path)}
                onClose={(next) => close(path, next)}
                viewed={viewed.has(path)}
                onView={(next) => {
                  setViewed(path, next);
                  close(path, next);
                }}
              />
            );
          })}
          {shown.length === 0 && <p className="text-muted">{t('diff.no_match')}</p>}
          {files.length < total && (
            <p className="text-muted">{t('diff.more', { count: total - files.length })}</p>
          )}
        </div>
      </div>
    </>
  );
}
