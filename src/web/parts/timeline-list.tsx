import './timeline-list.css';
import type { ReactNode } from 'react';

/** Steps in time, oldest first, on one thread. `pending` is the thread before anything was found. */
export function TimelineList(props: { label: string; pending?: boolean; children: ReactNode }) {
  return (
    <ol aria-label={props.label} className="thread" data-pending={props.pending || undefined}>
      {props.children}
    </ol>
  );
}

/** One step of a thread; the cause has the filled dot. */
export function TimelineItem(props: { cause?: boolean; children: ReactNode }) {
  return (
    <li className="thread-step" data-cause={props.cause || undefined}>
      {props.children}
    </li>
  );
}
