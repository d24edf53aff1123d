import { useSearchParams } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { HistoryResults, MATCHES, type Match, SIDES, type Side } from './history-results.tsx';

/** Search in the changes of a project; match and side are query parameters. */
export function HistorySearch({ projectId, q }: { projectId: string; q: string }) {
  const { t } = useTranslation('search');
  const [query, setQuery] = useSearchParams();
  const match: Match = MATCHES.find((one) => one === query.get('match')) ?? 'words';
  const side: Side = SIDES.find((one) => one === query.get('side')) ?? 'any';
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    next.set(name, value);
    setQuery(next, { replace: true });
  };
  return (
    <>
      <div className="mb-6 flex flex-wrap gap-x-8 gap-y-4">
        <SegmentedControl
          legend={t('history.match')}
          options={{ words: t('history.words'), exact: t('history.exact') }}
          value={match}
          onChange={(value) => choose('match', value)}
        />
        <SegmentedControl
          legend={t('history.side')}
          options={{ any: t('history.any'), added: t('history.added'), removed: t('history.removed') }}
          value={side}
          onChange={(value) => choose('side', value)}
        />
      </div>
      <HistoryResults projectId={projectId} q={q} match={match} side={side} />
    </>
  );
}
