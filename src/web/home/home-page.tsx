import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../query.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { lastLook } from './last-look.ts';
import { OpenErrors } from './open-errors.tsx';
import { PasteError } from './paste-error.tsx';
import { ProjectStates } from './project-states.tsx';

/** Sessions that are looked through for open ones. */
const RECENT = '50';

/** `/` signed in: a place to paste an error, and what happened since the reader last looked. */
export function Component() {
  const { t } = useTranslation('home');
  const [since] = useState(() => lastLook(Date.now()));
  const sessions = useQuery(read('GET /debug/sessions', { query: { limit: RECENT } }));
  const projects = useQuery(read('GET /projects'));
  return (
    <>
      <PageHeader title={t('title')} lead={since !== null && <Since at={since} />} />
      <PasteError projects={projects.data} />
      <div className="mt-10 grid gap-x-10 gap-y-8 lg:grid-cols-2">
        <OpenErrors sessions={sessions} since={since} />
        <ProjectStates projects={projects} since={since} />
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
