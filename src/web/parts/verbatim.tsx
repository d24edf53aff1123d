import { Fragment } from 'react';
import { splitHidden } from './repository-text.ts';

/** Repository text with invisible characters made visible. Text beyond `max` characters is truncated and counted. */
export function Verbatim({ text, max = 4_000 }: { text: string; max?: number }) {
  // The line ends of Windows are no hidden characters.
  const pieces = splitHidden(text.slice(0, max).replaceAll('\r\n', '\n'));
  return (
    <>
      {pieces.map((piece, index) => (
        // Pieces never move: the index is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Fragment key={index}>
          {'text' in piece ? (
            piece.text
          ) : (
            <span className="rounded-sm border border-warning px-0.5 text-xs text-warning">
              {piece.hidden}
            </span>
          )}
        </Fragment>
      ))}
      {text.length > max && <span className="text-muted"> … +{(text.length - max).toLocaleString()}</span>}
    </>
  );
}
