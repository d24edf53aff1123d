import { Fragment } from 'react';
import type { CharacterRange } from './changed-words.ts';
import type { CodeToken } from './highlight.ts';
import { Verbatim } from './verbatim.tsx';

const KIND_CLASSES: Record<CodeToken['kind'], string | undefined> = {
  plain: undefined,
  keyword: 'text-code-keyword',
  string: 'text-code-string',
  number: 'text-code-number',
  function: 'text-code-function',
  comment: 'text-muted',
};

interface CodeTextProps {
  tokens: CodeToken[];
  /** Characters that a change replaced or added, with the class of their ground. */
  mark?: { range: CharacterRange; className: string } | null;
}

/** A line of code in its syntax colours. */
export function CodeText({ tokens, mark = null }: CodeTextProps) {
  if (tokens.length === 0) return ' ';
  return splitAt(tokens, mark?.range ?? null).map(({ kind, text, marked }, index) => (
    // Tokens never move: the index is their identity.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={index}>
      {marked ? (
        <span className={mark?.className}>
          <Verbatim text={text} />
        </span>
      ) : (
        <span className={KIND_CLASSES[kind]}>
          <Verbatim text={text} />
        </span>
      )}
    </Fragment>
  ));
}

/** Splits tokens at the borders of a range and joins those inside. */
function splitAt(tokens: CodeToken[], range: CharacterRange | null): (CodeToken & { marked?: boolean })[] {
  if (!range) return tokens;
  const [from, to] = range;
  const text = tokens.map((token) => token.text).join('');
  const marked = { kind: 'plain' as const, text: text.slice(from, to), marked: true };
  return [...clip(tokens, 0, from), marked, ...clip(tokens, to, text.length)];
}

function clip(tokens: CodeToken[], from: number, to: number): CodeToken[] {
  let offset = 0;
  return tokens.flatMap((token) => {
    const start = Math.max(from - offset, 0);
    const end = Math.min(to - offset, token.text.length);
    offset += token.text.length;
    return end > start ? [{ ...token, text: token.text.slice(start, end) }] : [];
  });
}
