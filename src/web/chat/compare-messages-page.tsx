import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link, useParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import type { CitedLocation } from '../parts/citation.ts';
import { EvidenceProvider } from '../parts/evidence.tsx';
import { IndexFreshnessLine } from '../parts/index-freshness-line.tsx';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { shortenHash } from '../parts/repository-text.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';

const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();

type Answer = ApiReply<'GET /chat/projects/:id/messages/:message'>;

/** `/projects/:id/chat/compare/:a/:b`: two answers to one question, such as at two revisions. */
export function Component() {
  const { t } = useTranslation('chat');
  const { id = '', a = '', b = '' } = useParams();
  const question = useQuestion(id, a);
  return (
    <ProjectLoader id={id}>
      {(project) => (
        <EvidenceProvider projectId={id}>
          <article className="max-w-[1440px]">
            <PageHeader
              title={t('versions.title')}
              breadcrumbs={
                <Link to={`/projects/${id}/chat`} className="link">
                  {t('title', { name: project.name })}
                </Link>
              }
              lead={question === null ? null : <Verbatim text={question} max={300} />}
            />
            <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
              {(['left', 'right'] as const).map((side) => (
                <AnswerColumn
                  key={side}
                  projectId={id}
                  branch={project.branch}
                  message={side === 'left' ? a : b}
                />
              ))}
            </div>
          </article>
        </EvidenceProvider>
      )}
    </ProjectLoader>
  );
}

const messageQuery = (id: string, message: string, enabled = true) => ({
  ...apiQuery('GET /chat/projects/:id/messages/:message', { params: { id, message } }),
  enabled,
});

/** Text of the question of an answer; null until it is loaded. */
function useQuestion(id: string, answer: string): string | null {
  const { data } = useQuery(messageQuery(id, answer));
  const parent = data?.parent_id ?? null;
  const question = useQuery(messageQuery(id, parent ?? '', parent !== null));
  return question.data?.content ?? null;
}

function AnswerColumn({
  projectId,
  branch,
  message,
}: {
  projectId: string;
  branch: string | null;
  message: string;
}) {
  const query = useQuery(messageQuery(projectId, message));
  const headingId = useId();
  return (
    <QueryState query={query}>
      {(answer) => (
        <section className="min-w-0" aria-labelledby={headingId}>
          <h2
            id={headingId}
            className="mb-2 flex flex-wrap items-baseline gap-x-2.5 border-b border-border pb-2"
          >
            <span className="min-w-0 truncate font-mono">
              <Verbatim text={revisionName(answer, branch)} />
            </span>
            <span className="text-sm font-normal text-muted">
              <RelativeTime at={answer.created_at} />
            </span>
          </h2>
          <MarkdownView text={answer.content} projectId={projectId} references={NO_REFERENCES} />
          {answer.freshness && (
            <div className="mt-3">
              <IndexFreshnessLine freshness={answer.freshness} projectId={projectId} />
            </div>
          )}
        </section>
      )}
    </QueryState>
  );
}

/** Name of the revision that an answer is about: the branch, where it is the indexed commit. */
function revisionName({ freshness }: Answer, branch: string | null): string {
  if (freshness?.revision) return shortenHash(freshness.revision.name);
  return freshness?.branch ?? branch ?? freshness?.commit.slice(0, 7) ?? '';
}
