import { GitCommitHorizontal } from 'lucide-react';
import { Link } from 'react-router';
import type { Home } from '#contract/dashboard.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { HomeSection } from './home-section.tsx';
import { isNewSince, NewBadge } from './new-badge.tsx';

interface SuggestedFixesProps {
  fixes: Home['suggested_fixes'];
  since: number | null;
}

/** Errors that a commit may have fixed, which a member has to confirm; nothing when there are none. */
export function SuggestedFixes({ fixes, since }: SuggestedFixesProps) {
  const { t } = useTranslation('home');
  if (fixes.length === 0) return null;
  return (
    <HomeSection title={t('fixes.title')}>
      <ul>
        {fixes.map((fix) => (
          <li key={fix.session_id} className="border-b border-border">
            <Link to={`/debug/${fix.session_id}`} className="row min-h-12 py-1.5">
              <GitCommitHorizontal aria-hidden className="size-4 shrink-0 text-success" />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-mono text-code">
                  <Verbatim text={fix.title} />
                </span>
                <span className="flex min-w-0 gap-x-3 text-sm text-muted">
                  <NewBadge isNew={isNewSince(fix.suggested_at, since)} />
                  <span className="shrink-0">{fix.project_name}</span>
                  <span className="truncate">
                    <span className="font-mono">{fix.commit.slice(0, 7)}</span>{' '}
                    <Verbatim text={fix.subject} />
                  </span>
                </span>
              </span>
              <span className="link shrink-0">{t('fixes.review')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </HomeSection>
  );
}
