import { useParams, useSearchParams } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { Workbench } from './workbench.tsx';

/** `/ide/:projectId`. */
export function Component() {
  const { t } = useTranslation('ide');
  const { projectId = '' } = useParams();
  const revision = useSearchParams()[0].get('ref') ?? '';
  return (
    <ProjectLoader id={projectId}>
      {(project) => (
        <>
          <PageTitle>{t('title', { name: project.name })}</PageTitle>
          {/* Another revision has files of its own: the editor starts again, with drafts restored. */}
          <Workbench key={`${projectId} ${revision}`} project={project} />
        </>
      )}
    </ProjectLoader>
  );
}
