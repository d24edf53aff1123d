import { Fragment } from 'react';
import { Verbatim } from '../parts/verbatim.tsx';
import { MATCH_CLASS } from './code-fragment.tsx';

/** Text with the matching characters marked; the ranges are ascending. */
export function MarkedText({ text, marks }: { text: string; marks: readonly (readonly [number, number])[] }) {
  let end = 0;
  const pieces = marks.flatMap(([from, to]) => {
    const before = { text: text.slice(end, from), marked: false, at: end };
    end = to;
    return [before, { text: text.slice(from, to), marked: true, at: from }];
  });
  return [...pieces, { text: text.slice(end), marked: false, at: end }]
    .filter((piece) => piece.text !== '')
    .map((piece) => (
      <Fragment key={piece.at}>
        {piece.marked ? (
          <mark className={`${MATCH_CLASS} text-inherit`}>
            <Verbatim text={piece.text} />
          </mark>
        ) : (
          <Verbatim text={piece.text} />
        )}
      </Fragment>
    ));
}
