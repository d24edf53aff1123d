import clsx from 'clsx';
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { BlameRun } from '#contract/code.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { parseLineFragment } from '../parts/citation.ts';
import type { LineRange } from '../parts/code-view.tsx';
import { useHighlightedText } from '../parts/highlight.ts';
import { useCommitIssues } from '../parts/use-commit-issues.ts';
import { BlameIssues } from './blame-cell.tsx';
import { BlameNotice } from './blame-notice.tsx';
import { CHUNK_LINES, LineChunk } from './line-chunk.tsx';
import { StickyScopes } from './sticky-scopes.tsx';
import { useFileBlame } from './use-file-blame.ts';
import { wordAt } from './word-at.ts';

interface CodePaneProps {
  project: Project;
  path: string;
  file: ApiReply<'GET /projects/:id/text/*'>;
  revision: string | null;
  selected: LineRange | null;
  showBlame: boolean;
  wrap: boolean;
  onSelect: (lines: LineRange) => void;
  /** Called with the name that the reader clicked. */
  onSymbol: (name: string) => void;
}

/** Lines of a file in chunks: those far from the viewport are plain text, so that a long file opens at once. */
export function CodePane(props: CodePaneProps) {
  const { project, path, file, selected, showBlame, wrap, onSelect, onSymbol } = props;
  const { t } = useTranslation('code');
  const box = useRef<HTMLDivElement>(null);
  const text = file.text.endsWith('\n') ? file.text.slice(0, -1) : file.text;
  const lines = useHighlightedText(text, path);
  const starts = useMemo(
    () => Array.from({ length: Math.ceil(lines.length / CHUNK_LINES) }, (_, i) => i * CHUNK_LINES),
    [lines.length],
  );
  const blame = useFileBlame(props);
  // Once all runs are there: each set of commits is another request.
  const blamed = showBlame ? (blame.query.data?.runs ?? []) : [];
  const issues = useCommitIssues(
    project.id,
    blamed.map(({ hash }) => hash),
  );
  useScrollToSelection(box, selected);

  // The address is ahead of what is rendered when one event follows another at once.
  const current = () => parseLineFragment(location.hash);
  const selectLine = (line: number, extend: boolean) => {
    const anchor = (extend && current()) || { from: line, to: line };
    onSelect({ from: Math.min(anchor.from, line), to: Math.max(anchor.to, line) });
  };
  const onClick = (event: MouseEvent) => {
    const number = (event.target as Element).closest<HTMLElement>('[data-number]')?.dataset.number;
    if (number !== undefined) {
      event.preventDefault();
      selectLine(Number(number), event.shiftKey);
      return;
    }
    const isPlainClick = !event.metaKey && !event.ctrlKey && getSelection()?.isCollapsed !== false;
    const word = isPlainClick ? wordAt(event.clientX, event.clientY) : null;
    if (word) onSymbol(word);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isNumber = (event.target as Element).matches('[data-number]');
    const range = current();
    if (!step || !range || !isNumber) return;
    const line = (step > 0 ? range.to : range.from) + step;
    event.preventDefault();
    if (line >= 1 && line <= lines.length) selectLine(line, event.shiftKey);
  };
  if (file.text === '') return <p className="text-muted">{t('file.empty')}</p>;
  return (
    <div className="min-w-0">
      {showBlame && <BlameNotice project={project} lines={lines.length} {...blame} />}
      <StickyScopes project={project} path={path} revision={props.revision} box={box} />
      {/* Clicks on names are a shortcut: the field beside the code takes them from the keyboard. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div
        ref={box}
        onClick={onClick}
        onKeyDown={onKeyDown}
        className={clsx(
          'rounded-md border border-border bg-surface py-1 font-mono text-code',
          wrap ? 'overflow-hidden' : 'overflow-x-auto',
        )}
      >
        <BlameIssues value={issues}>
          {starts.map((start) => (
            <LineChunk
              key={start}
              {...{ start, selected, wrap }}
              projectId={project.id}
              lines={lines.slice(start, start + CHUNK_LINES)}
              runs={showBlame ? runsWithin(blame.runs, start + 1, start + CHUNK_LINES) : null}
            />
          ))}
        </BlameIssues>
      </div>
    </div>
  );
}

/** Runs with lines of a chunk, so that a chunk renders again only where some of its own are new. */
function runsWithin(runs: readonly BlameRun[], from: number, to: number): BlameRun[] {
  return runs.filter(({ start, lines }) => start <= to && start + lines > from);
}

/** Scrolls to the selected lines when the page opens or the address changes from outside. */
function useScrollToSelection(box: { current: HTMLDivElement | null }, selected: LineRange | null): void {
  const from = selected?.from;
  useEffect(() => {
    if (from === undefined) return;
    const line = box.current?.querySelector<HTMLElement>(`[data-line="${from}"]`);
    if (!line || isInView(line)) return;
    line.scrollIntoView({ block: 'center' });
  }, [box, from]);
}

function isInView(line: HTMLElement): boolean {
  const { top, bottom } = line.getBoundingClientRect();
  return top > HEADER_HEIGHT && bottom < innerHeight;
}

/** Top bar and sticky scopes. */
const HEADER_HEIGHT = 110;
