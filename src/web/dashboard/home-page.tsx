import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { FirstRun } from '../parts/first-run.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { FixedCode } from './fixed-code.tsx';
import { homeQueries } from './home-queries.ts';
import { recordVisit } from './last-visit.ts';
import { OpenErrors } from './open-errors.tsx';
import { OwnBranches } from './own-branches.tsx';
import { PasteErrorForm } from './paste-error.tsx';
import { ProjectStatusList } from './project-status-list.tsx';
import { formatSince } from './since.ts';
import { SuggestedFixes } from './suggested-fixes.tsx';

/** `/` for signed-in users: what changed since the last visit, and a box for an error. */
export function Component() {
  const { t, i18n } = useTranslation('home');
  const [since] = useState(() => recordVisit(Date.now()));
  const errors = useQuery(homeQueries.errors);
  const projects = useQuery(homeQueries.projects);
  const home = useQuery(homeQueries.changes);
  // A page that begins without projects stays so while its first one is indexed.
  const [isFirstRun, setFirstRun] = useState<boolean | null>(null);
  if (isFirstRun === null && projects.data) setFirstRun(projects.data.length === 0);
  const when = since === null ? null : formatSince(since, Date.now(), i18n.language);
  const heading = when === null ? t('title') : t(`since.${when.kind}`, { time: when.text });
  return (
    <>
      <PageHeader title={t('title')} heading={heading} />
      <QueryState query={projects} loading={['100%', '100%', '40%']}>
        {(all) =>
          isFirstRun ? (
            <NoProjects />
          ) : (
            <ListingPage
              aside={
                <div className="flex flex-col gap-8">
                  <ProjectStatusList projects={all} since={since} />
                  {home.data && <OwnBranches branches={home.data.branches} />}
                </div>
              }
            >
              <div className="flex flex-col gap-8">
                <PasteErrorForm projects={all} />
                {home.data && <SuggestedFixes fixes={home.data.suggested_fixes} since={since} />}
                <OpenErrors errors={errors} since={since} />
                <QueryState query={home} loading={['64%', '52%']}>
                  {({ fixed_code }) => <FixedCode changes={fixed_code} since={since} />}
                </QueryState>
              </div>
            </ListingPage>
          )
        }
      </QueryState>
    </>
  );
}

/** The first step instead of empty lists; an error can be pasted before there is a project. */
function NoProjects() {
  const { t } = useTranslation(['home', 'first-run', 'projects']);
  return (
    <FirstRun title={t('first-run:connect.title')} submitLabel={t('projects:add')}>
      <PasteErrorForm projects={[]} />
    </FirstRun>
  );
}
