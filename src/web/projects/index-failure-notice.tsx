import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { useRefreshProject } from '../parts/use-project.ts';
import { Notice } from '../ui/notice.tsx';

/** Failure of the last indexing run, with Retry for members who may write. */
export function IndexFailureNotice({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const refresh = useRefreshProject(project.id);
  const canRetry = project.role !== 'viewer';
  return (
    <Notice kind="error" onRetry={canRetry ? () => refresh.mutate() : undefined}>
      {project.failure && (
        <p>
          <SentenceText sentence={project.failure} />
        </p>
      )}
      {project.indexed_commit && <p className="text-muted">{t('failure.previous_index')}</p>}
      {refresh.error && <p>{refresh.error.message}</p>}
    </Notice>
  );
}
