import { useMutation, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Link, useNavigate, useParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import type { CitedLocation } from '../parts/citation.ts';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { RevisionPicker } from '../parts/revision-picker.tsx';
import { useHeadline } from '../parts/use-headline.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Spinner } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import type { Session } from './answer.tsx';
import { type ComparedFact, compareFacts } from './compared-facts.ts';

const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();
/** Places of the two answers, which may be the same one. */
const SIDES = [0, 1] as const;

/** `/debug/:id/compare/:other`: two answers to one error; without the other, asks again at a revision. */
export function Component() {
  const { t } = useTranslation('compare-answers');
  const { id = '', other } = useParams();
  const query = useQuery(apiQuery('GET /debug/sessions/:id', { params: { id } }));
  return (
    <QueryState query={query} title={t('title')}>
      {(session) => (
        <article className="max-w-[1440px]">
          <PageHeader
            title={t('title')}
            breadcrumbs={
              <Link to={`/debug/${session.id}`} className="link">
                {t('back', { number: session.number })}
              </Link>
            }
            lead={<Verbatim text={session.request.error_message.split('\n')[0] ?? ''} max={300} />}
          />
          <AskAgain key={session.id} session={session} />
          {other !== undefined && <OtherAnswer session={session} id={other} />}
        </article>
      )}
    </QueryState>
  );
}

/** Asks the same error at the revision that is picked, and compares with the answer. */
function AskAgain({ session }: { session: Session }) {
  const { t } = useTranslation('compare-answers');
  const navigate = useNavigate();
  const ask = useMutation<ApiReply<'POST /debug'>, ApiError, string | null>({
    mutationFn: (revision) => api('POST /debug', { body: { ...session.request, revision } }),
    onSuccess: ({ id }) => navigate(`/debug/${session.id}/compare/${id}`),
  });
  return (
    <ProjectLoader id={session.project_id}>
      {(project) => (
        <div className="mb-5 flex flex-wrap items-center gap-3">
          <span>{t('ask_at')}</span>
          <RevisionPicker
            project={project}
            value={ask.variables ?? session.request.revision ?? null}
            onChange={(revision) => !ask.isPending && ask.mutate(revision)}
          />
          {ask.isPending && (
            <span role="status" className="flex items-center gap-2 text-muted">
              <Spinner /> {t('asking')}
            </span>
          )}
          {ask.error && (
            <Notice kind="error" onRetry={() => ask.mutate(ask.variables ?? null)}>
              {ask.error.message}
            </Notice>
          )}
        </div>
      )}
    </ProjectLoader>
  );
}

function OtherAnswer({ session, id }: { session: Session; id: string }) {
  const query = useQuery(apiQuery('GET /debug/sessions/:id', { params: { id } }));
  return <QueryState query={query}>{(other) => <Comparison pair={[session, other]} />}</QueryState>;
}

/** Both answers beside each other; below 1,024 px one after the other. */
function Comparison({ pair }: { pair: readonly [Session, Session] }) {
  const { t } = useTranslation(['compare-answers', 'debug']);
  const headline = useHeadline();
  const facts = compareFacts(pair, (kind) => t(`debug:kind.${kind}`));
  const changed = facts.filter((fact) => fact.changed && fact.key !== 'revision');
  const names = changed.map(({ key }) => t(`fact.${key}`)).join(', ');
  return (
    <>
      <p className="mb-4">{changed.length === 0 ? t('same') : t('changed', { names })}</p>
      <div className="grid gap-x-6 lg:grid-cols-2">
        {SIDES.map((side) => (
          <h2 key={side} className="mb-2 text-answer font-semibold">
            <Link to={`/debug/${pair[side].id}`} className="hover:text-action">
              {headline(pair[side])}
            </Link>
          </h2>
        ))}
        {facts.map((fact) => (
          <FactRow key={fact.key} fact={fact} />
        ))}
        {SIDES.map((side) => (
          <div key={side} className="min-w-0 border-t border-border py-3">
            <MarkdownView
              text={pair[side].answer.solution}
              projectId={pair[side].project_id}
              references={NO_REFERENCES}
            />
          </div>
        ))}
      </div>
    </>
  );
}

function FactRow({ fact }: { fact: ComparedFact }) {
  const { t } = useTranslation('compare-answers');
  const { key, values, changed } = fact;
  return SIDES.map((side) => (
    <div key={side} className="min-w-0 border-t border-border py-2">
      <h3 className={clsx('text-sm', changed ? 'font-semibold' : 'text-muted')}>
        {t(`fact.${key}`)}
        {changed && <span className="ml-2 font-normal text-muted">{t('differs')}</span>}
      </h3>
      {values[side].length === 0 ? (
        <p className="text-muted">{t('none')}</p>
      ) : (
        <pre className="overflow-x-auto font-mono text-sm whitespace-pre-wrap wrap-anywhere">
          <Verbatim text={values[side].join('\n')} />
        </pre>
      )}
    </div>
  ));
}
