import type { ReactNode } from 'react';
import type { Place, Suspect } from '#contract/debug.ts';
import { firstLine } from '#contract/first-line.ts';
import { useTranslation } from '../i18n.ts';
import { AgeTick } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { accusedCommit } from '../parts/verdict-claims.ts';
import type { Session } from './answer.tsx';
import { EvidenceTimeline } from './evidence-timeline.tsx';
import type { FailingCode } from './failing-code.tsx';
import { MarkRight } from './mark-right.tsx';

/** Evidence that the panels do not show: the history of the lines, less likely commits and other places. */
export function EvidenceSection({ session, code }: { session: Session; code: FailingCode }) {
  const { t } = useTranslation('debug');
  const { answer } = session;
  const proven = answer.proven?.commit.hash;
  // A proof of another commit clears the suspect.
  const steps = answer.timeline.filter(
    ({ kind, commit }) => kind !== 'now' && !(proven && kind === 'suspect' && commit?.hash !== proven),
  );
  const suspects = otherSuspects(answer);
  const places = otherPlaces(answer.places, code);
  if (steps.length + suspects.length + places.length === 0) return null;
  const suspect = accusedCommit(answer);
  return (
    <section aria-labelledby="evidence" className="flex flex-col gap-3">
      <h2 id="evidence" className="text-answer font-semibold">
        {t('evidence.title')}
      </h2>
      {steps.length > 0 && (
        <EvidenceTimeline session={session} steps={steps} shownCommit={suspect?.hash ?? null} />
      )}
      {suspects.length > 0 && (
        <EvidenceList title={t(suspect ? 'other_suspects' : 'related_commits')}>
          {suspects.map((one) => (
            <CommitRow key={one.hash} session={session} suspect={one} />
          ))}
        </EvidenceList>
      )}
      {places.length > 0 && (
        <EvidenceList title={t(code.range ? 'evidence.other_places' : 'places')}>
          {places.map((place) => (
            <PlaceRow key={`${place.path}:${place.start_line}`} session={session} place={place} />
          ))}
        </EvidenceList>
      )}
    </section>
  );
}

/** Suspects and related commits that are not in the timeline. */
function otherSuspects({ timeline, suspect_commits, related_commits = [] }: Session['answer']): Suspect[] {
  const hashes = new Set(timeline.map((step) => step.commit?.hash));
  return [...suspect_commits, ...related_commits].filter((suspect) => !hashes.has(suspect.hash));
}

/** Places whose code is not among the selectable frames. */
function otherPlaces(places: Place[], { frames, range }: FailingCode): Place[] {
  const shown = range ? [range, ...frames.flatMap(({ own }) => own ?? [])] : [];
  return places.filter(
    (place) =>
      !shown.some(
        ({ path, from }) => path === place.path && from >= place.start_line && from <= place.end_line,
      ),
  );
}

function EvidenceList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1">{title}</h3>
      <ul className="border-t border-border">{children}</ul>
    </div>
  );
}

function CommitRow({ session, suspect }: { session: Session; suspect: Suspect }) {
  const now = useNow();
  return (
    <li className="flex flex-wrap gap-x-3 border-b border-border py-1.5">
      <span className="flex h-5 items-center">
        <AgeTick timestamp={suspect.timestamp} now={now} />
      </span>
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere text-muted">
        <span className="text-foreground">
          <Verbatim text={firstLine(suspect.message)} />
        </span>{' '}
        <Verbatim text={suspect.author} />. <SentenceText sentence={suspect.why} />
      </p>
      <span className="ml-auto flex shrink-0 items-start gap-x-2">
        <MarkRight session={session} target={{ commit: suspect.hash }} />
        <CitationChip projectId={session.project_id} citation={{ kind: 'commit', hash: suspect.hash }} />
      </span>
    </li>
  );
}

function PlaceRow({ session, place }: { session: Session; place: Place }) {
  const { path, start_line: from, end_line: to, symbol, why } = place;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-border py-1.5">
      <CitationChip
        projectId={session.project_id}
        citation={{ kind: 'file', path, from, to, commit: session.answer.indexed_commit }}
      />
      <p className="min-w-0 wrap-anywhere text-muted">
        {symbol && !why.text.includes(symbol) && (
          <>
            <span className="font-mono text-sm text-foreground">
              <Verbatim text={symbol} />
            </span>
            {' · '}
          </>
        )}
        <SentenceText sentence={why} />
      </p>
      <span className="ml-auto">
        <MarkRight session={session} target={{ path, line: from }} />
      </span>
    </li>
  );
}
