import clsx from 'clsx';
import { Fragment } from 'react';
import type { CharacterRange } from './changed-words.ts';
import type { CodeToken } from './code-parser.ts';
import { Verbatim } from './verbatim.tsx';

const KIND_CLASSES: Record<CodeToken['kind'], string | undefined> = {
  plain: undefined,
  keyword: 'text-code-keyword',
  string: 'text-code-string',
  number: 'text-code-number',
  function: 'text-code-function',
  comment: 'text-muted',
};

type CodePiece = CodeToken & { marked?: boolean };

interface CodeTextProps {
  tokens: CodeToken[];
  /** Characters to mark, such as changed words or matches of a search, with the class of their ground. */
  marks?: { ranges: CharacterRange[]; className: string };
}

/** A line of code in its syntax colours. */
export function CodeText({ tokens, marks }: CodeTextProps) {
  if (tokens.length === 0) return ' ';
  const pieces: CodePiece[] = marks?.ranges.length ? splitAtRanges(tokens, marks.ranges) : tokens;
  return pieces.map((piece, index) => {
    // Comments are too faint for the ground of a mark.
    const kind = piece.marked && piece.kind === 'comment' ? 'plain' : piece.kind;
    const style = clsx(KIND_CLASSES[kind], piece.marked && marks?.className);
    const text = <Verbatim text={piece.text} />;
    return (
      // Tokens never move: the index is their identity.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Fragment key={index}>{style === '' ? text : <span className={style}>{text}</span>}</Fragment>
    );
  });
}

/** Splits tokens at the borders of ranges, which are ascending and do not overlap. */
function splitAtRanges(tokens: CodeToken[], ranges: CharacterRange[]): CodePiece[] {
  const borders = ranges.flat();
  let start = 0;
  return tokens.flatMap(({ kind, text }) => {
    const from = start;
    start += text.length;
    const cuts = [from, ...borders.filter((border) => border > from && border < start), start];
    return cuts.slice(1).map((end, i) => {
      const begin = cuts[i]!;
      const marked = ranges.some(([first, last]) => begin >= first && end <= last);
      return { kind, text: text.slice(begin - from, end - from), marked };
    });
  });
}
