import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../api-query.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { recordVisit } from './last-visit.ts';
import { OpenErrors } from './open-errors.tsx';
import { PasteErrorForm } from './paste-error.tsx';
import { ProjectStatusList } from './project-status-list.tsx';

/** Number of sessions searched for open ones. */
const SESSION_LIMIT = '50';

/** `/` for signed-in users: paste box, open errors and project status since the last visit. */
export function Component() {
  const { t } = useTranslation('home');
  const [since] = useState(() => recordVisit(Date.now()));
  const sessions = useQuery(apiQuery('GET /debug/sessions', { query: { limit: SESSION_LIMIT } }));
  const projects = useQuery(apiQuery('GET /projects'));
  return (
    <>
      <PageHeader title={t('title')} lead={since !== null && <Since at={since} />} />
      <PasteErrorForm projects={projects.data} />
      <div className="mt-10 grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <OpenErrors sessions={sessions} since={since} />
        <ProjectStatusList projects={projects} since={since} />
      </div>
    </>
  );
}

function Since({ at }: { at: number }) {
  const { t } = useTranslation('home');
  return (
    <>
      {t('since')} <RelativeTime at={new Date(at).toISOString()} />
    </>
  );
}
