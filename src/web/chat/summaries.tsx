import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import type { CitedLocation } from '../parts/citation.ts';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';

const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();

/** Summaries of the older parts of a long chat, loaded when opened. */
export function Summaries({ projectId, thread }: { projectId: string; thread: string | undefined }) {
  const { t } = useTranslation('chat');
  const [open, setOpen] = useState(false);
  return (
    <details className="mb-4 border-y border-border" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-8 cursor-pointer items-center text-muted hover:text-foreground">
        {t('summaries.open')}
      </summary>
      {open && <SummaryList projectId={projectId} thread={thread} />}
    </details>
  );
}

function SummaryList({ projectId, thread }: { projectId: string; thread: string | undefined }) {
  const { t } = useTranslation('chat');
  const query = useQuery(
    apiQuery('GET /chat/projects/:id/summaries', { params: { id: projectId }, query: { thread } }),
  );
  return (
    <QueryState
      query={query}
      showStaleError
      errorClassName="mb-3"
      empty={<p className="pb-3 text-muted">{t('summaries.none')}</p>}
      isEmpty={({ summaries }) => summaries.length === 0}
    >
      {({ summaries }) => (
        <ol className="flex flex-col gap-3 pb-3">
          {summaries.map(({ id, from, content, model }) => (
            <li key={id}>
              <p className="flex flex-wrap gap-x-3 text-sm text-muted">
                <RelativeTime at={from} />
                {model && <span className="font-mono">{model}</span>}
              </p>
              <MarkdownView text={content} projectId={projectId} references={NO_REFERENCES} />
            </li>
          ))}
        </ol>
      )}
    </QueryState>
  );
}
