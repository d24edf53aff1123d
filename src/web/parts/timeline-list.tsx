import './timeline-list.css';
import type { ReactNode } from 'react';

/** Chronological list joined by a line. `pending` is the neutral state before any finding. */
export function TimelineList(props: { label: string; pending?: boolean; children: ReactNode }) {
  return (
    <ol aria-label={props.label} className="timeline" data-pending={props.pending || undefined}>
      {props.children}
    </ol>
  );
}

/** Item of a timeline; the cause has a filled dot. */
export function TimelineItem(props: { cause?: boolean; children: ReactNode }) {
  return (
    <li className="timeline-item" data-cause={props.cause || undefined}>
      {props.children}
    </li>
  );
}
