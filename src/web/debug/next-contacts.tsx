import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { bisectCommand } from '../parts/verdict-claims.ts';
import { Avatar } from '../ui/avatar.tsx';
import type { Session } from './answer.tsx';
import { AsideSection } from './aside-section.tsx';
import { Occurrences } from './occurrences.tsx';

const MAX_PEOPLE = 3;
const MAX_TESTS = 4;
const MAX_SESSIONS = 3;

/** People who know the code, tests that cover it, and earlier sessions of the error. */
export function NextContacts({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const { who_to_ask: people = [], tests = [], related_sessions: related = [] } = session.answer;
  const bisect = bisectCommand(session.answer);
  return (
    <>
      <Occurrences session={session} />
      {people.length > 0 && (
        <AsideSection title={t('people.title')}>
          <People people={people.slice(0, MAX_PEOPLE)} />
        </AsideSection>
      )}
      {bisect && (
        <AsideSection title={t('bisect.title')} note={<CopyButton text={bisect} />}>
          <p className="border-t border-border py-2 font-mono text-code wrap-anywhere">{bisect}</p>
        </AsideSection>
      )}
      {tests.length > 0 && (
        <AsideSection
          title={t('tests.title')}
          note={tests.length > MAX_TESTS ? t('of', { shown: MAX_TESTS, all: tests.length }) : null}
        >
          <ul className="border-t border-border">
            {tests.slice(0, MAX_TESTS).map((path) => (
              <li key={path} className="border-b border-border py-1.5">
                <TestChip session={session} path={path} />
              </li>
            ))}
          </ul>
        </AsideSection>
      )}
      {related.length > 0 && (
        <AsideSection title={t('related_sessions.title')}>
          <ul className="border-t border-border">
            {related.slice(0, MAX_SESSIONS).map((id, index) => (
              <li key={id} className="border-b border-border py-1.5">
                <Link to={`/debug/${id}`} className="link">
                  {t('related_sessions.item', { number: index + 1 })}
                </Link>
              </li>
            ))}
          </ul>
        </AsideSection>
      )}
    </>
  );
}

function People({ people }: { people: NonNullable<Session['answer']['who_to_ask']> }) {
  const { t } = useTranslation('debug');
  const now = useNow();
  return (
    <ul className="border-t border-border">
      {people.map(({ name, commits, last_active: lastActive }) => (
        <li key={name} className="flex items-center gap-2 border-b border-border py-1.5">
          <Avatar name={name} />
          <span className="min-w-0 flex-1 wrap-anywhere">
            <Verbatim text={name} />
          </span>
          <span className="text-right text-sm text-muted">
            {t('people.commits', { count: commits })}, <TimeAgo timestamp={lastActive} now={now} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function TestChip({ session, path }: { session: Session; path: string }) {
  return (
    <CitationChip
      projectId={session.project_id}
      citation={{ kind: 'file', path, from: 1, to: 1, commit: session.answer.indexed_commit }}
    >
      {path}
    </CitationChip>
  );
}
