import { useParams } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { Workbench } from './workbench.tsx';

/** `/ide/:projectId`. */
export function Component() {
  const { t } = useTranslation('ide');
  const { projectId = '' } = useParams();
  return (
    <ProjectLoader id={projectId}>
      {(project) => (
        <>
          <PageTitle>{t('title', { name: project.name })}</PageTitle>
          <Workbench key={projectId} project={project} />
        </>
      )}
    </ProjectLoader>
  );
}
