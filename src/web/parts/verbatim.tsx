import { Fragment } from 'react';
import { splitHidden } from './repository-text.ts';

/**
 * Repository text as it is, with characters that could not be seen shown by name. Text beyond `max` characters
 * (a minified line) is left out and counted.
 */
export function Verbatim({ text, max = 4_000 }: { text: string; max?: number }) {
  const pieces = splitHidden(text.slice(0, max));
  return (
    <>
      {pieces.map((piece, index) => (
        // The pieces of one text never move: their place is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Fragment key={index}>
          {'text' in piece ? (
            piece.text
          ) : (
            <span className="rounded-sm border border-doubt px-0.5 text-xs text-doubt">{piece.hidden}</span>
          )}
        </Fragment>
      ))}
      {text.length > max && <span className="text-muted"> … +{(text.length - max).toLocaleString()}</span>}
    </>
  );
}
