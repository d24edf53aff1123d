import { useQuery } from '@tanstack/react-query';
import { GitMerge } from 'lucide-react';
import { Link } from 'react-router';
import type { ErrorDetail, ErrorGroup } from '#contract/error-groups.ts';
import type { SimilarErrorGroup } from '#contract/error-merging.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { useMerge } from './use-merge.ts';

/** Errors of the project that resemble this one, with what they have in common; editors can merge them into it. */
export function SimilarErrors({ detail }: { detail: ErrorDetail }) {
  const { t } = useTranslation('errors-page');
  const { error, is_editable: isEditable } = detail;
  const params = { id: error.project_id, error: error.id };
  const { data } = useQuery(apiQuery('GET /projects/:id/errors/:error/similar', { params }));
  const merge = useMerge();
  // Nothing is missing on the page without them.
  if (!data || data.errors.length === 0) return null;
  const mergeInto = (id: string) =>
    merge.mutate({ projectId: error.project_id, into: error.id, errors: [id] });
  return (
    <section>
      <h2 className="mb-1">{t('similar.title')}</h2>
      <ul className="border-b border-border">
        {data.errors.map((similar) => (
          <li key={similar.error.id} className="flex items-start gap-2 border-t border-border py-1.5">
            <SimilarRow similar={similar} />
            {isEditable && (
              <IconButton
                label={t('similar.merge')}
                icon={<GitMerge aria-hidden className="size-4" />}
                disabled={merge.isPending}
                onClick={() => mergeInto(similar.error.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {merge.error && (
        <Notice
          kind="error"
          className="mt-2"
          onRetry={() => merge.variables && mergeInto(merge.variables.errors[0]!)}
        >
          {merge.error.message}
        </Notice>
      )}
    </section>
  );
}

function SimilarRow({ similar: { error, shared } }: { similar: SimilarErrorGroup }) {
  const { t, i18n } = useTranslation(['errors-page', 'inbox']);
  const features = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(
    shared.map((feature) => t(`similar.shared.${feature}`)),
  );
  return (
    <div className="min-w-0 flex-1">
      <Link to={pageOf(error)} className="line-clamp-2 font-mono text-sm wrap-anywhere hover:text-action">
        <Verbatim text={error.title} />
      </Link>
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
        <StateMark state={error.state} />
        <span>
          {t('inbox:times', {
            count: error.count,
            value: new Intl.NumberFormat(i18n.language).format(error.count),
          })}
        </span>
        <span>{features}</span>
      </p>
    </div>
  );
}

function pageOf({ project_id, id }: ErrorGroup): string {
  return `/projects/${project_id}/errors/${id}`;
}
