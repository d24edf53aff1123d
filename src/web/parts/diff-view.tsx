import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { Hunk } from '#contract/projects.ts';
import { ageBucket, ageColor } from './age.ts';
import { Verbatim } from './verbatim.tsx';

interface DiffViewProps {
  hunk: Hunk;
  /** Time of the added lines. */
  timestamp: string;
  now: number;
  /** Highlights the changed lines of a suspect. */
  cause?: boolean;
}

/** A hunk: deleted lines are faded, added lines have the age of their commit. */
export function DiffView({ hunk, timestamp, now, cause = false }: DiffViewProps) {
  const { t } = useTranslation('parts');
  const age = ageColor(ageBucket(timestamp, now));
  return (
    <div className="font-mono text-code">
      <p className="sr-only">{t('hunk', { line: hunk.new_start })}</p>
      {numberLines(hunk).map(({ number, kind, text, key }) => (
        <div key={key} className={clsx('flex', kind !== 'context' && lineBackground(kind, cause))}>
          <span
            aria-hidden
            className="w-1.5 shrink-0"
            style={{ background: kind === 'add' ? age : 'var(--age-5)' }}
          />
          <span
            className={clsx(
              'w-12 shrink-0 pr-3 text-right text-sm tabular-nums select-none',
              cause && kind !== 'context' ? 'text-cause' : 'text-muted',
            )}
          >
            {number}
          </span>
          <ChangeMarker kind={kind} cause={cause} />
          <code
            className={clsx(
              'min-w-0 flex-1 pr-3 wrap-anywhere whitespace-pre-wrap',
              kind === 'delete' && !cause && 'text-muted',
            )}
          >
            <Verbatim text={text || ' '} />
          </code>
        </div>
      ))}
    </div>
  );
}

function lineBackground(kind: 'add' | 'delete', cause: boolean): string {
  if (cause) return 'bg-cause-subtle';
  return kind === 'add' ? 'bg-success/8' : '';
}

function ChangeMarker({ kind, cause }: { kind: Hunk['lines'][number]['kind']; cause: boolean }) {
  const { t } = useTranslation('parts');
  if (kind === 'context') return <span className="w-4 shrink-0" />;
  const added = kind === 'add';
  return (
    <span
      className={clsx(
        'w-4 shrink-0 select-none',
        added ? 'text-success' : cause ? 'text-cause' : 'text-muted',
      )}
    >
      <span aria-hidden>{added ? '+' : '−'}</span>
      <span className="sr-only">{t(added ? 'added' : 'removed')}</span>
    </span>
  );
}

/** Lines of a hunk with their line numbers on the respective side. */
function numberLines(hunk: Hunk) {
  let before = hunk.old_start;
  let after = hunk.new_start;
  return hunk.lines.map((line) => {
    const number = line.kind === 'delete' ? before : after;
    if (line.kind !== 'add') before += 1;
    if (line.kind !== 'delete') after += 1;
    return { ...line, number, key: `${line.kind}${number}` };
  });
}
