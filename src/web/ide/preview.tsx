import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import type { CitedLocation } from '../parts/citation.ts';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { QueryState } from '../ui/query-state.tsx';
import type { EditorTab } from './editor-tab.ts';
import type { Workspace } from './use-workspace.ts';

const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();

/** An image of the repository. */
export function ImagePreview({ workspace, path }: { workspace: Workspace; path: string }) {
  const { t, i18n } = useTranslation('editor');
  const { project, fileRef } = workspace;
  const query = useQuery({
    ...apiQuery('GET /projects/:id/images/*', {
      params: { id: project.id, '*': path },
      query: { ref: fileRef ?? undefined },
    }),
    staleTime: 60_000,
  });
  return (
    <div className="h-full overflow-auto p-4">
      <QueryState query={query} loading={['40%']}>
        {({ media_type: type, data, size }) => (
          <figure className="flex flex-col items-center gap-2">
            <img src={`data:${type};base64,${data}`} alt={path} className="checkered max-w-full" />
            <figcaption className="text-sm text-muted">
              {t('preview.size', { size: new Intl.NumberFormat(i18n.language).format(size) })}
            </figcaption>
          </figure>
        )}
      </QueryState>
    </div>
  );
}

/** The text of a Markdown file as a page, with unsaved changes. */
export function MarkdownPreview({ workspace, tab }: { workspace: Workspace; tab: EditorTab }) {
  const { t } = useTranslation('editor');
  const text = useDeferredValue(workspace.textOf(tab));
  return (
    <section aria-label={t('preview.label')} className="h-full overflow-auto px-6 py-4">
      <MarkdownView text={text} projectId={workspace.project.id} references={NO_REFERENCES} />
    </section>
  );
}
