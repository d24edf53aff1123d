import { Link } from 'react-router';
import type { Home } from '#contract/dashboard.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { HomeSection } from './home-section.tsx';
import { isNewSince, NewBadge } from './new-badge.tsx';

interface FixedCodeProps {
  changes: Home['fixed_code'];
  since: number | null;
}

/** Commits that changed lines which an earlier fix had written. */
export function FixedCode({ changes, since }: FixedCodeProps) {
  const { t } = useTranslation('home');
  return (
    <HomeSection title={t('fixed_code.title')}>
      {changes.length === 0 && <p className="py-3 text-muted">{t('fixed_code.none')}</p>}
      <ul>
        {changes.map((change) => (
          <li key={`${change.project_id}${change.commit}`} className="border-b border-border">
            <div className="row relative min-h-12 py-1.5">
              <span className="w-16 shrink-0 self-start pt-0.5 font-mono text-code text-action">
                {change.commit.slice(0, 7)}
              </span>
              <div className="min-w-0 flex-1">
                <Link
                  to={`/projects/${change.project_id}/commits/${change.commit}`}
                  className="block truncate leading-6 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-action"
                >
                  <Verbatim text={change.subject} />
                </Link>
                <p className="flex flex-wrap gap-x-3 text-sm text-muted">
                  <NewBadge isNew={isNewSince(change.found_at, since)} />
                  <span>{change.project_name}</span>
                  <span className="min-w-0 truncate">
                    {t('fixed_code.touches')}{' '}
                    <Link
                      to={`/projects/${change.project_id}/commits/${change.fix}`}
                      className="link relative z-10"
                    >
                      <Verbatim text={change.fix_subject} />
                    </Link>
                  </span>
                </p>
              </div>
              <RelativeTime
                at={change.timestamp}
                className="shrink-0 self-start pt-0.5 text-muted max-sm:hidden"
              />
            </div>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
