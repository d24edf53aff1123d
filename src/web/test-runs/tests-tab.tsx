import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { TestRow } from './test-row.tsx';

const PAGE_SIZE = 50;

/** Tests of a project that do not pass: since which commit, how they failed last, and the way to ask why. */
export function TestsTab({ project }: { project: Project }) {
  const { t } = useTranslation('test-runs');
  const [skip, setSkip] = useState(0);
  const query = useQuery({
    ...apiQuery('GET /projects/:id/tests', {
      params: { id: project.id },
      query: { skip: String(skip), limit: String(PAGE_SIZE) },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return (
    <ListingPage>
      <QueryState query={query} loading={['62%', '48%', '55%', '51%']}>
        {({ tests, total, runs }) =>
          runs === 0 ? (
            <UploadGuide project={project} />
          ) : (
            <>
              <p className="mb-3 text-muted">
                {t('summary', { count: total })} {t('runs', { count: runs })}
              </p>
              {total === 0 ? (
                <EmptyState title={t('all_pass')}>{t('all_pass_text')}</EmptyState>
              ) : (
                <ul
                  aria-label={t('label')}
                  aria-busy={query.isPlaceholderData}
                  className="border-t border-border"
                >
                  {tests.map((test) => (
                    <TestRow key={test.id} project={project} test={test} />
                  ))}
                </ul>
              )}
              {total > PAGE_SIZE && (
                <div className="mt-3 flex items-center gap-2">
                  <Button disabled={skip === 0} onClick={() => setSkip(skip - PAGE_SIZE)}>
                    {t('previous')}
                  </Button>
                  <Button disabled={skip + PAGE_SIZE >= total} onClick={() => setSkip(skip + PAGE_SIZE)}>
                    {t('next')}
                  </Button>
                </div>
              )}
            </>
          )
        }
      </QueryState>
    </ListingPage>
  );
}

/** First step: commands that upload a report. */
function UploadGuide({ project }: { project: Project }) {
  const { t } = useTranslation('test-runs');
  const command = `npm install --global ${location.origin}/cli/hindsight.tgz
export HINDSIGHT_SERVER=${location.origin} HINDSIGHT_API_KEY=hs_…
hindsight test-runs upload junit.xml --project ${project.id}`;
  return (
    <EmptyState title={t('none')}>
      <p>{t('none_text')}</p>
      <div className="mt-3 rounded-md border border-border bg-surface text-foreground">
        <div className="flex justify-end border-b border-border px-1 py-0.5">
          <CopyButton text={command} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls is reached by the keyboard. */}
        <pre tabIndex={0} className="overflow-x-auto px-3 py-2">
          {command}
        </pre>
      </div>
    </EmptyState>
  );
}
