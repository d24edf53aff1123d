import type { EnvironmentFact } from '#contract/debug.ts';
import { useTranslation } from '../i18n.ts';
import { parseCitedLocation } from '../parts/citation.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import type { Session } from './answer.tsx';

/** Facts of the environment that the error states, with what the project requires. */
export function EnvironmentFacts({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const facts = session.answer.environment ?? [];
  if (facts.length === 0) return null;
  return (
    <section aria-label={t('environment.title')}>
      <ul className="divide-y divide-border rounded-md border border-border bg-surface">
        {facts.map((fact) => (
          <li
            key={`${fact.fact}:${fact.found}`}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-3 py-1.5"
          >
            <span className="min-w-24 text-muted">{t(`environment.${fact.fact}`)}</span>
            <span className="font-mono text-code wrap-anywhere">
              <Verbatim text={fact.found} />
            </span>
            {fact.required !== null && (
              <span className="wrap-anywhere">
                {t('environment.required')}{' '}
                <b className="font-mono text-code font-semibold">
                  <Verbatim text={fact.required} />
                </b>
              </span>
            )}
            <FactSource session={session} source={fact.source} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FactSource({ session, source }: { session: Session; source: EnvironmentFact['source'] }) {
  if (source === null) return null;
  const citation =
    parseCitedLocation(source) ??
    ({ kind: 'file', path: source, from: 1, to: 1, commit: session.answer.indexed_commit } as const);
  return (
    <CitationChip projectId={session.project_id} citation={citation}>
      {citation.kind === 'file' ? citation.path : undefined}
    </CitationChip>
  );
}
