import { clsx } from 'clsx';
import { useSearchParams } from 'react-router';
import type { BlameRun } from '#contract/code.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import type { useFileBlame } from './use-file-blame.ts';

const MAX_NAMED = 5;

interface BlameNoticeProps extends ReturnType<typeof useFileBlame> {
  project: Project;
  /** Lines of the file. */
  lines: number;
}

/** State of the blame, and the commits that it passed over. */
export function BlameNotice({ project, query, runs, lines }: BlameNoticeProps) {
  const { t, i18n } = useTranslation('code');
  const [search, setSearch] = useSearchParams();
  const isKept = search.get('formatting') === 'keep';
  const toggle = () => {
    const next = new URLSearchParams(search);
    if (isKept) next.delete('formatting');
    else next.set('formatting', 'keep');
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  if (query.error && !query.data)
    return (
      <Notice kind="error" className="mb-3" onRetry={() => query.refetch()}>
        {query.error.message}
      </Notice>
    );
  if (!query.data) return <BlameProgress done={countLines(runs)} total={lines} />;
  const { skipped, complete } = query.data;
  const missing = lines - countLines(runs);
  return (
    <>
      {!complete && (
        <Notice kind="warning" className="mb-3" onRetry={() => query.refetch()}>
          {t('blame.incomplete', {
            count: missing,
            value: new Intl.NumberFormat(i18n.language).format(missing),
          })}
        </Notice>
      )}
      {(skipped.length > 0 || isKept) && (
        <p className="mb-2 flex flex-wrap items-center gap-2 text-muted">
          {skipped.length > 0 && t('blame.skipped', { count: skipped.length })}
          {skipped.slice(0, MAX_NAMED).map(({ hash }) => (
            <CitationChip key={hash} projectId={project.id} citation={{ kind: 'commit', hash }} />
          ))}
          <Button kind="ghost" size="small" onClick={toggle}>
            {t(isKept ? 'blame.skip' : 'blame.keep')}
          </Button>
        </p>
      )}
    </>
  );
}

/** Share of the lines whose last change is known. The bar alone changes often, so the text is not announced again. */
function BlameProgress({ done, total }: { done: number; total: number }) {
  const { t, i18n } = useTranslation('code');
  const { format } = new Intl.NumberFormat(i18n.language);
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 text-muted">
      <span role="status">{t('blame.loading')}</span>
      <span
        role="progressbar"
        aria-label={t('blame.loading')}
        aria-valuemax={total}
        {...(done > 0 && { 'aria-valuenow': done })}
        className="relative h-1.5 w-48 overflow-hidden rounded-sm bg-border"
      >
        <span
          className={clsx(
            'absolute inset-y-0 bg-action',
            done === 0 ? 'w-1/4 progress-unknown' : 'transition-[width] duration-150',
          )}
          style={done === 0 ? undefined : { width: `${(done / total) * 100}%` }}
        />
      </span>
      {done > 0 && (
        <span>{t('blame.progress', { done: format(done), total: format(total), count: total })}</span>
      )}
    </div>
  );
}

const countLines = (runs: readonly BlameRun[]) => runs.reduce((sum, { lines }) => sum + lines, 0);
