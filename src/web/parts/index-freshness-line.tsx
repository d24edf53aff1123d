import type { IndexFreshness } from '#contract/common.ts';
import { useTranslation } from '../i18n.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { CitationChip } from './citation-chip.tsx';
import { shortenHash } from './repository-text.ts';

interface IndexFreshnessLineProps {
  freshness: IndexFreshness;
  projectId: string;
}

/** Commit of an answer, its lag behind the branch, and the time of the last fetch. */
export function IndexFreshnessLine({ freshness, projectId }: IndexFreshnessLineProps) {
  const { t } = useTranslation('parts');
  const { commit, branch, behind, fetched_at, own_branch: own, revision } = freshness;
  if (commit === '') return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 text-sm text-muted">
      {revision && (
        <span className="min-w-0 wrap-anywhere text-foreground">
          {t('freshness.revision', { name: shortenHash(revision.name) })}{' '}
          <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: revision.commit }} />
        </span>
      )}
      <span className="whitespace-nowrap">
        {t('freshness.indexed_at')}{' '}
        <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: commit }} />
      </span>
      {own && (
        <span className="min-w-0 wrap-anywhere text-foreground">
          {t('freshness.own_branch', { name: own.name })}
        </span>
      )}
      {branch !== null && behind !== null && (
        <span className="min-w-0 wrap-anywhere">
          {behind === 0
            ? t('freshness.current', { branch })
            : t('freshness.behind', { count: behind, branch })}
        </span>
      )}
      {fetched_at && (
        <span className="whitespace-nowrap">
          {t('freshness.fetched')} <RelativeTime at={fetched_at} />
        </span>
      )}
    </p>
  );
}
