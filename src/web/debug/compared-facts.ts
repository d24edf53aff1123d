import { firstLine } from '#contract/first-line.ts';
import { accusedCommit, verdictKind } from '../parts/verdict-claims.ts';
import type { Session } from './answer.tsx';

/** A fact of an answer: its label, and one line for each item. */
export interface ComparedFact {
  key: 'revision' | 'kind' | 'places' | 'cause' | 'related' | 'patch';
  values: [string[], string[]];
  /** True where the two answers differ. */
  changed: boolean;
}

const MAX_ITEMS = 5;

/** Facts of two answers, in the order in which an answer states them; `kindText` words the kind of an error. */
export function compareFacts(
  [left, right]: readonly [Session, Session],
  kindText: (kind: string) => string,
): ComparedFact[] {
  const pair = (key: ComparedFact['key'], read: (session: Session) => string[]): ComparedFact => {
    const values: [string[], string[]] = [read(left), read(right)];
    return { key, values, changed: values[0].join('\n') !== values[1].join('\n') };
  };
  return [
    pair('revision', ({ answer, request }) => [
      [request.revision, answer.indexed_commit.slice(0, 7)].filter(Boolean).join(' · '),
    ]),
    pair('kind', ({ answer }) => {
      const kind = verdictKind(answer);
      return kind ? [kindText(kind)] : [];
    }),
    pair('places', ({ answer }) =>
      answer.places.slice(0, MAX_ITEMS).map(({ path, start_line }) => `${path}:${start_line}`),
    ),
    pair('cause', ({ answer }) => {
      const commit = accusedCommit(answer);
      return commit ? [`${commit.hash.slice(0, 7)} ${firstLine(commit.message)}`] : [];
    }),
    pair('related', ({ answer }) =>
      (answer.related_commits ?? [])
        .slice(0, MAX_ITEMS)
        .map(({ hash, message }) => `${hash.slice(0, 7)} ${firstLine(message)}`),
    ),
    pair('patch', ({ answer }) => answer.patch?.split('\n') ?? []),
  ].filter(({ values: [a, b] }) => a.length + b.length > 0);
}
