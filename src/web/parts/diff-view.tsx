import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { Hunk } from '#contract/projects.ts';
import { ageBucket, ageColor } from './age.ts';
import { type CharacterRange, changedWords } from './changed-words.ts';
import { CodeText } from './code-text.tsx';
import { type CodeToken, highlightLines } from './highlight.ts';

interface DiffViewProps {
  hunk: Hunk;
  /** File of the hunk, whose extension names the language. */
  path?: string | null | undefined;
  /** Time of the added lines. */
  timestamp: string;
  now: number;
}

/** A hunk with the line numbers of both sides; added lines have the age of their commit. */
export function DiffView({ hunk, path, timestamp, now }: DiffViewProps) {
  const { t } = useTranslation('parts');
  const age = ageColor(ageBucket(timestamp, now));
  const tokens = highlightLines(
    hunk.lines.map(({ text }) => text),
    path ?? '',
  );
  const ranges = changedWords(hunk);
  return (
    <div className="font-mono text-code">
      <p className="sr-only">{t('hunk', { line: hunk.new_start })}</p>
      {numberLines(hunk).map(({ key, ...line }, index) => (
        <DiffLine
          key={key}
          {...line}
          age={line.kind === 'add' ? age : 'transparent'}
          tokens={tokens[index] ?? []}
          range={ranges[index] ?? null}
        />
      ))}
    </div>
  );
}

interface DiffLineProps extends Omit<NumberedLine, 'key'> {
  age: string;
  tokens: CodeToken[];
  /** Changed words. */
  range: CharacterRange | null;
}

const MARKS = { add: 'rounded-sm bg-diff-add-mark', delete: 'rounded-sm bg-diff-delete-mark', context: '' };

function DiffLine({ kind, before, after, age, tokens, range }: DiffLineProps) {
  return (
    <div className={clsx('flex', kind === 'add' && 'bg-diff-add', kind === 'delete' && 'bg-diff-delete')}>
      <span aria-hidden className="w-1.5 shrink-0" style={{ background: age }} />
      <LineNumber value={before} />
      <LineNumber value={after} />
      <ChangeMarker kind={kind} />
      <code className="min-w-0 flex-1 pr-3 wrap-anywhere whitespace-pre-wrap">
        <CodeText tokens={tokens} mark={range && { range, className: MARKS[kind] }} />
      </code>
    </div>
  );
}

function LineNumber({ value }: { value: number | null }) {
  return (
    <span className="w-8 shrink-0 pr-1 text-right text-sm tabular-nums text-muted select-none">
      {value ?? ''}
    </span>
  );
}

function ChangeMarker({ kind }: { kind: Hunk['lines'][number]['kind'] }) {
  const { t } = useTranslation('parts');
  if (kind === 'context') return <span className="w-5 shrink-0" />;
  const added = kind === 'add';
  return (
    <span className="w-5 shrink-0 text-center select-none">
      <span aria-hidden>{added ? '+' : '−'}</span>
      <span className="sr-only">{t(added ? 'added' : 'removed')}</span>
    </span>
  );
}

interface NumberedLine {
  key: string;
  kind: Hunk['lines'][number]['kind'];
  /** Line number before the change; null for an added line. */
  before: number | null;
  /** Line number after the change; null for a deleted line. */
  after: number | null;
}

function numberLines(hunk: Hunk): NumberedLine[] {
  let old = hunk.old_start;
  let fresh = hunk.new_start;
  return hunk.lines.map(({ kind }) => {
    const before = kind === 'add' ? null : old;
    const after = kind === 'delete' ? null : fresh;
    if (before !== null) old += 1;
    if (after !== null) fresh += 1;
    return { kind, before, after, key: `${before}:${after}` };
  });
}
