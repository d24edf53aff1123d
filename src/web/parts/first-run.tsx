import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, FlaskConical } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { projectKeys } from '../query-keys.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const ConnectForm = lazyComponent(() => import('./connect-form.tsx').then((module) => module.ConnectForm));

interface FirstRunProps {
  submitLabel: string;
  title?: string;
  /** Shown below the form. */
  children?: ReactNode;
}

/** First step of a reader without a project: a repository's URL, the sample project, or many repositories at once. */
export function FirstRun({ submitLabel, title, children }: FirstRunProps) {
  const { t } = useTranslation('first-run');
  const sample = useAddSample();
  return (
    <div className="grid gap-x-12 gap-y-8 border-t border-border py-6 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="flex min-w-0 flex-col gap-8">
        <section aria-label={t('connect.title')}>
          {title && <h2 className="mb-4 text-answer">{title}</h2>}
          <Suspense fallback={<FormPlaceholder />}>
            <ConnectForm submitLabel={submitLabel} />
          </Suspense>
        </section>
        {children}
      </div>
      <div className="flex flex-col gap-8">
        <section>
          <h2>{t('sample.title')}</h2>
          <p className="mt-1 mb-3 text-muted">{t('sample.text')}</p>
          <Button loading={sample.isPending} onClick={() => sample.mutate()}>
            {!sample.isPending && <FlaskConical aria-hidden className="size-4" />}
            {t(sample.isPending ? 'sample.adding' : 'sample.add')}
          </Button>
          {sample.error && (
            <Notice kind="error" className="mt-3" onRetry={() => sample.mutate()}>
              {sample.error.message}
            </Notice>
          )}
        </section>
        <section>
          <h2>{t('many.title')}</h2>
          <p className="mt-1 mb-3 text-muted">{t('many.text')}</p>
          <ButtonLink to="/projects/import">
            <Download aria-hidden className="size-4" />
            {t('many.open')}
          </ButtonLink>
        </section>
      </div>
    </div>
  );
}

/** As high as the form, so that nothing moves when it is there. */
function FormPlaceholder() {
  return (
    <div className="h-[234px]">
      <Skeleton rows={['30%', '100%', '20%', '100%']} />
    </div>
  );
}

/** Adds the sample project and opens it. */
function useAddSample() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api('POST /projects/sample', {}),
    onSuccess: async (project) => {
      client.setQueryData(projectKeys.detail(project.id), project);
      await client.invalidateQueries({ queryKey: projectKeys.list });
      await navigate(`/projects/${project.id}`);
    },
  });
}
