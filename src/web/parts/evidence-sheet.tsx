import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { Suspense } from 'react';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type CitedLocation, citationLabel, citationUrl } from './citation.ts';
import { CodeView } from './code-view.tsx';
import { CommitChanges, CommitHeader } from './commit-changes.tsx';
import { EditorLink } from './editor-link.tsx';
import { useNow } from './use-now.ts';
import { Verbatim } from './verbatim.tsx';

const IssueView = lazyComponent(() => import('./issue-view.tsx').then((module) => module.IssueView));

const CONTEXT_LINES = 20;

interface EvidenceSheetProps {
  projectId: string;
  citation: CitedLocation;
  onClose: () => void;
}

/** Sheet at the right with the cited lines, commit or issue. */
export function EvidenceSheet({ projectId, citation, onClose }: EvidenceSheetProps) {
  const { t } = useTranslation(['parts', 'ui']);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="overlay-fade fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup className="overlay-fade fixed inset-y-0 right-0 z-50 flex w-[min(760px,100vw)] flex-col border-l border-border bg-background shadow-overlay">
          <header className="flex items-center gap-3 border-b border-border bg-surface px-4 py-2">
            <Dialog.Title className="min-w-0 flex-1 font-mono text-code font-medium break-all">
              <span className="sr-only">{t('evidence.title')}: </span>
              <Verbatim text={citationLabel(citation)} />
            </Dialog.Title>
            {citation.kind === 'file' && <EditorLink projectId={projectId} {...citation} isNamed />}
            <ButtonLink to={citationUrl(projectId, citation)}>
              {t(`evidence.open_${citation.kind}`)}
            </ButtonLink>
            <Dialog.Close
              aria-label={t('ui:close')}
              className="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground"
            >
              <X aria-hidden className="size-4" />
            </Dialog.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto">
            {citation.kind === 'file' ? (
              <FileEvidence projectId={projectId} citation={citation} />
            ) : citation.kind === 'commit' ? (
              <CommitEvidence projectId={projectId} hash={citation.hash} />
            ) : (
              <Suspense fallback={<EvidenceSkeleton />}>
                <IssueView projectId={projectId} {...citation} />
              </Suspense>
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function FileEvidence({
  projectId,
  citation,
}: {
  projectId: string;
  citation: Extract<CitedLocation, { kind: 'file' }>;
}) {
  const now = useNow();
  const query = useQuery(
    apiQuery('GET /projects/:id/files/*', {
      params: { id: projectId, '*': citation.path },
      query: {
        ref: citation.commit ?? undefined,
        from: String(Math.max(1, citation.from - CONTEXT_LINES)),
        to: String(citation.to + CONTEXT_LINES),
      },
    }),
  );
  return (
    <QueryState query={query} showStaleError errorClassName="m-4" loading={<EvidenceSkeleton />}>
      {(file) => (
        <CodeView
          projectId={projectId}
          file={file}
          now={now}
          selected={{ from: citation.from, to: citation.to }}
        />
      )}
    </QueryState>
  );
}

function CommitEvidence({ projectId, hash }: { projectId: string; hash: string }) {
  const query = useQuery(
    apiQuery('GET /projects/:id/commits/:sha', { params: { id: projectId, sha: hash }, query: {} }),
  );
  return (
    <QueryState query={query} showStaleError errorClassName="m-4" loading={<EvidenceSkeleton />}>
      {(commit) => (
        <div className="flex flex-col gap-4 p-4">
          <CommitHeader commit={commit} heading="h2" />
          <CommitChanges projectId={projectId} commit={commit} />
        </div>
      )}
    </QueryState>
  );
}

function EvidenceSkeleton() {
  return (
    <div className="p-4">
      <Skeleton rows={['38%', '62%', '54%', '70%', '46%', '58%']} />
    </div>
  );
}
