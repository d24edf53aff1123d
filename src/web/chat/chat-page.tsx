import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { ChatPanel } from './chat-panel.tsx';

/** `/projects/:id/chat`: the chat on a page of its own. */
export function Component() {
  const { t } = useTranslation('chat');
  const { id = '' } = useParams();
  return (
    <ProjectLoader id={id}>
      {(project) => (
        <div className="bleed flex h-[calc(100dvh-48px)] flex-col">
          <PageTitle>{t('title', { name: project.name })}</PageTitle>
          <header className="flex items-center gap-2 border-b border-border px-(--page-x) py-3">
            <Link
              to={`/projects/${id}`}
              aria-label={t('back')}
              title={t('back')}
              className="-ml-2 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground"
            >
              <ArrowLeft aria-hidden className="size-4" />
            </Link>
            <div className="min-w-0">
              <h1 className="truncate">{project.name}</h1>
              <p className="text-muted">{t('subtitle')}</p>
            </div>
          </header>
          <div className="flex min-h-0 flex-1 flex-col">
            <ChatPanel key={id} project={project} />
          </div>
        </div>
      )}
    </ProjectLoader>
  );
}
