import { AgeCore } from '../parts/age-core.tsx';
import { AgeTick } from '../parts/age-mark.tsx';
import { Confidence, Probability } from '../parts/confidence.tsx';
import { Mark } from '../parts/mark.tsx';
import { TimelineItem, TimelineList } from '../parts/timeline-list.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button, Spinner } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { ALL_STATES, StateMark } from '../ui/state-mark.tsx';
import { Examples, Specimen } from './specimen.tsx';

const PEOPLE = [
  'Ada Lovelace',
  'Grace Hopper',
  'Linus',
  'matteo.collina',
  'Jean Michelet',
  'dependabot[bot]',
];
const WEEKS = [4, 9, 0, 12, 7, 3, 0, 1, 14, 8, 6, 11];
const YEAR = Array.from({ length: 52 }, (_, week) => Math.max(0, Math.round(9 * Math.sin(week / 4)) + 3));
const DAY_MS = 86_400_000;
const FAILED = { data: undefined, error: new Error('Server unreachable.'), refetch: () => undefined };

/** States, marks and messages. */
export function StateSpecimens() {
  return (
    <>
      <Specimen name="StateMark" rule="icon, color, word">
        <Examples>
          {ALL_STATES.map((state) => (
            <StateMark key={state} state={state} className="w-40" />
          ))}
        </Examples>
        <Examples>
          {ALL_STATES.map((state) => (
            <StateMark key={state} state={state} iconOnly />
          ))}
        </Examples>
      </Specimen>
      <Specimen name="Notice" rule="error ≠ info">
        <Notice className="w-full">info</Notice>
        <Notice kind="success" className="w-full">
          success
        </Notice>
        <Notice kind="warning" className="w-full">
          warning
        </Notice>
        <Notice kind="error" className="w-full" onRetry={() => undefined}>
          error
        </Notice>
        <Notice className="w-full" action={<Button size="small">action</Button>}>
          info, action
        </Notice>
      </Specimen>
      <Specimen name="QueryState">
        <div className="w-full">
          <Skeleton rows={['42%', '68%', '55%']} />
          <QueryState query={FAILED}>{() => null}</QueryState>
          <EmptyState title="EmptyState" action={<Button kind="primary">action</Button>}>
            children
          </EmptyState>
        </div>
      </Specimen>
      <MarkSpecimens />
    </>
  );
}

function MarkSpecimens() {
  return (
    <>
      <Specimen name="Avatar" rule="one tint a name">
        {(['small', 'normal', 'large'] as const).map((size) => (
          <Examples key={size}>
            {PEOPLE.map((name) => (
              <span key={name} className="flex items-center gap-1.5">
                <Avatar name={name} size={size} /> {name}
              </span>
            ))}
          </Examples>
        ))}
      </Specimen>
      <Specimen name="Sparkline" rule="12 … 52">
        <Examples>
          <Sparkline values={WEEKS} label="Commits" />
          <Sparkline values={WEEKS.map(() => 0)} label="Commits" />
          <Sparkline values={YEAR} label="Commits" />
        </Examples>
      </Specimen>
      <Specimen name="AgeCore, AgeTick, Mark, Spinner">
        <div className="flex h-24 items-center gap-6">
          <AgeCore amounts={{ today: 2, month: 10, year: 30, three_years: 20, older: 38 }} label="fastify" />
          <AgeCore amounts={{ older: 97, today: 3 }} label="express" />
          <AgeCore amounts={{}} />
          {[0, 20, 200, 800, 2000].map((days) => (
            <AgeTick
              key={days}
              timestamp={new Date(Date.now() - days * DAY_MS).toISOString()}
              now={Date.now()}
            />
          ))}
          <Mark />
          <Mark size={36} />
          <Spinner />
        </div>
      </Specimen>
      <Specimen name="Probability, Confidence">
        <Examples>
          <Probability label="Place" value={0.96} />
          <Probability label="Cause" value={0.81} cause />
          <Confidence value={0.3} />
        </Examples>
      </Specimen>
      <Specimen name="TimelineList" rule="cause: one dot">
        <TimelineList label="TimelineList">
          <TimelineItem>2018</TimelineItem>
          <TimelineItem cause>2026</TimelineItem>
          <TimelineItem>now</TimelineItem>
        </TimelineList>
        <TimelineList label="pending" pending>
          <TimelineItem>…</TimelineItem>
          <TimelineItem>…</TimelineItem>
        </TimelineList>
      </Specimen>
    </>
  );
}
