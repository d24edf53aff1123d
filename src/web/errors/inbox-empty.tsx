import { Suspense } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';

const PasteProjectError = lazyComponent(() =>
  import('../parts/paste-project-error.tsx').then((module) => module.PasteProjectError),
);

interface InboxEmptyProps {
  isFiltered: boolean;
  /** True when other filters would show errors. */
  hasErrors: boolean;
  projectId: string | undefined;
  onClear: () => void;
}

/** Empty inbox: its reason and the next step. */
export function InboxEmpty({ isFiltered, hasErrors, projectId, onClear }: InboxEmptyProps) {
  const { t } = useTranslation(['inbox', 'intake']);
  if (!isFiltered && !hasErrors && projectId !== undefined)
    return (
      <div className="grid gap-x-10 gap-y-6 border-t border-border py-5 lg:grid-cols-[3fr_2fr]">
        <Suspense fallback={<div />}>
          <PasteProjectError projectId={projectId} />
        </Suspense>
        <section>
          <h3>{t('empty.connect')}</h3>
          <p className="mt-1 mb-3 text-muted">{t('intake:lead')}</p>
          <ButtonLink to={`/projects/${projectId}/settings#intake`}>{t('intake:off.set_up')}</ButtonLink>
        </section>
      </div>
    );
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-border py-4 text-muted">
      <p>{t(isFiltered ? 'empty.filtered' : hasErrors ? 'empty.solved' : 'empty.never')}</p>
      {isFiltered && <Button onClick={onClear}>{t('empty.clear')}</Button>}
    </div>
  );
}
