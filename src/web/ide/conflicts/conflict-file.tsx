import type { EditorView } from '@codemirror/view';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { BranchConflict } from '#contract/branch-updates.ts';
import { useTranslation } from '../../i18n.ts';
import { useMediaQuery } from '../../parts/use-media-query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { resolveRange } from './conflict-ranges.ts';
import { mergeTexts, type Side } from './merge-texts.ts';
import { ResultEditor } from './result-editor.tsx';
import type { SideNames } from './sides.ts';
import type { FileProgress } from './stored-resolutions.ts';
import { textsOf } from './use-conflicts.ts';
import { VersionPane } from './version-pane.tsx';

/** Keys held and pressed, as `KeyboardEvent.code`. */
type Shortcut = 'F8' | 'Shift+F8' | 'Alt+Digit1' | 'Alt+Digit2' | 'Alt+Digit3' | 'Mod+Enter';

interface ConflictFileProps {
  conflict: Pick<BranchConflict, 'path' | 'base' | 'ours' | 'theirs'>;
  progress: FileProgress;
  sides: SideNames;
  onProgress: (progress: FileProgress) => void;
}

/** A file in its three versions, above the text that is saved. */
export function ConflictFile({ conflict, progress, sides, onProgress }: ConflictFileProps) {
  const { t } = useTranslation('conflicts');
  const view = useRef<EditorView | null>(null);
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState<Side>('theirs');
  // Two versions fit beside each other.
  const isWide = useMediaQuery('(width >= 1024px)');
  const { base, ours, theirs } = conflict;
  const texts = useMemo(() => textsOf({ base, ours, theirs }), [base, ours, theirs]);
  const { conflicts } = useMemo(() => mergeTexts(...texts), [texts]);
  const current = conflicts[at];
  const show = (next: number) => {
    if (conflicts.length === 0) return;
    const index = (next + conflicts.length) % conflicts.length;
    setAt(index);
    const range = progress.ranges[index];
    if (range) view.current?.dispatch({ selection: { anchor: range.from }, scrollIntoView: true });
  };
  const resolve = (text: string | null) => {
    if (!view.current || !current) return;
    resolveRange(view.current, at, text);
    const open = progress.ranges.findIndex(({ isOpen }, index) => isOpen && index !== at);
    if (open !== -1) show(open);
    view.current.focus();
  };
  const actions: Record<Shortcut, () => void> = {
    F8: () => show(at + 1),
    'Shift+F8': () => show(at - 1),
    'Alt+Digit1': () => current && resolve(current.theirs),
    'Alt+Digit2': () => current && resolve(current.ours),
    'Alt+Digit3': () => current && resolve(joinBoth(current)),
    'Mod+Enter': () => (current ? resolve(null) : onProgress({ ...progress, isResolved: true })),
  };
  const [baseText, oursText, theirsText] = texts;
  const versions = { theirs: theirsText, base: baseText, ours: oursText };
  const chosen = isWide && shown === 'ours' ? 'theirs' : shown;
  const labels: Record<Side, string> = { theirs: sides.theirs, base: t('base'), ours: sides.ours };
  const panes: Side[] = isWide ? [chosen, 'ours'] : [chosen];
  return (
    <div className="flex min-h-0 flex-1 flex-col" onKeyDownCapture={(event) => runShortcut(event, actions)}>
      <ConflictToolbar at={at} count={conflicts.length} sides={sides} actions={actions} />
      <div className="flex min-h-0 flex-[5] flex-col">
        <div className="flex items-center gap-4 border-b border-border px-3 py-1.5">
          <div className={isWide ? 'flex-1' : ''}>
            <SegmentedControl<string>
              legend={<span className="sr-only">{t('version')}</span>}
              options={isWide ? { theirs: labels.theirs, base: labels.base } : { ...labels }}
              value={chosen}
              onChange={(value) => setShown(value as Side)}
            />
          </div>
          {isWide && <h3 className="flex-1 text-sm">{sides.ours}</h3>}
        </div>
        <div className="flex min-h-0 flex-1 divide-x divide-border">
          {panes.map((side) => (
            <VersionPane
              key={side}
              path={conflict.path}
              label={labels[side]}
              side={side}
              text={versions[side]}
              conflicts={conflicts}
              at={at}
            />
          ))}
        </div>
      </div>
      <div className="flex min-h-0 flex-[6] flex-col border-t border-border">
        <h3 className="border-b border-border px-3 py-1.5 text-sm">{t('result')}</h3>
        <div className="min-h-0 flex-1">
          <ResultEditor
            path={conflict.path}
            label={t('result_of', { path: conflict.path })}
            text={progress.text}
            ranges={progress.ranges}
            view={view}
            onChange={(text, ranges) =>
              onProgress({ choice: 'text', text, ranges, isResolved: isDone(ranges) ?? progress.isResolved })
            }
          />
        </div>
      </div>
    </div>
  );
}

interface ConflictToolbarProps {
  at: number;
  count: number;
  sides: SideNames;
  actions: Record<Shortcut, () => void>;
}

/** Moves between the conflicts of a file and resolves them. */
function ConflictToolbar({ at, count, sides, actions }: ConflictToolbarProps) {
  const { t } = useTranslation('conflicts');
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-border px-3 py-2">
      <span role="status" className="tabular-nums text-muted">
        {count > 0 && t('position', { at: at + 1, count })}
      </span>
      <IconButton
        label={t('previous')}
        disabled={count < 2}
        icon={<ArrowUp aria-hidden className="size-4" />}
        onClick={actions['Shift+F8']}
      />
      <IconButton
        label={t('next')}
        disabled={count < 2}
        icon={<ArrowDown aria-hidden className="size-4" />}
        onClick={actions.F8}
      />
      <Button size="small" title="Alt+1" disabled={count === 0} onClick={actions['Alt+Digit1']}>
        {sides.take.theirs}
      </Button>
      <Button size="small" title="Alt+2" disabled={count === 0} onClick={actions['Alt+Digit2']}>
        {sides.take.ours}
      </Button>
      <Button size="small" title="Alt+3" disabled={count === 0} onClick={actions['Alt+Digit3']}>
        {t('take_both')}
      </Button>
      <Button size="small" title="Ctrl+Enter" onClick={actions['Mod+Enter']}>
        {t('mark')}
      </Button>
    </div>
  );
}

/** The lines of both sides; the last line of a file may lack a line feed. */
function joinBoth({ ours, theirs }: { ours: string; theirs: string }): string {
  return theirs === '' || theirs.endsWith('\n') ? theirs + ours : `${theirs}\n${ours}`;
}

/** True when no conflict is open; undefined for a file without any, which only the reader can call resolved. */
function isDone(ranges: FileProgress['ranges']): boolean | undefined {
  return ranges.length === 0 ? undefined : ranges.every(({ isOpen }) => !isOpen);
}

function runShortcut(event: KeyboardEvent, actions: Record<string, () => void>): void {
  const { altKey, shiftKey, ctrlKey, metaKey, code } = event;
  const held = [altKey && 'Alt', shiftKey && 'Shift', (ctrlKey || metaKey) && 'Mod'].filter(Boolean);
  const action = actions[[...held, code].join('+')];
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}
