import type { Extension, Text } from '@codemirror/state';
import { EditorView, GutterMarker, gutter } from '@codemirror/view';
import type { BlameRun } from '#contract/code.ts';
import { ageBucket, ageColor, formatRelativeTime } from '../../parts/age.ts';
import { savedLine } from '../saved-text.ts';
import { findBlameRun } from './find-blame-run.ts';

interface BlameGutterOptions {
  /** Ascending runs of the saved text. */
  runs: readonly BlameRun[];
  saved: Text;
  language: string;
  now: number;
  /** Receives the run below the pointer and the top of its line in the page; null when the pointer leaves. */
  onHover: (run: BlameRun | null, top: number) => void;
}

/** Gutter with the age of every line, and author and time at the first line of a change. */
export function blameGutter({ runs, saved, language, now, onHover }: BlameGutterOptions): Extension {
  const markers = new Map<string, BlameMarker>();
  const markerOf = (view: EditorView, from: number): BlameMarker | null => {
    const line = savedLine(view.state, saved, view.state.doc.lineAt(from).number);
    const run = line === null ? undefined : findBlameRun(runs, line);
    if (!run) return null;
    const isNamed = run.start === line;
    const key = `${isNamed} ${run.start}`;
    const known = markers.get(key) ?? new BlameMarker(run, isNamed, { language, now });
    markers.set(key, known);
    return known;
  };
  const runAt = (view: EditorView, from: number) => {
    const line = savedLine(view.state, saved, view.state.doc.lineAt(from).number);
    return line === null ? undefined : findBlameRun(runs, line);
  };
  return [
    gutter({
      class: 'cm-blame',
      lineMarker: (view, { from }) => markerOf(view, from),
      lineMarkerChange: ({ docChanged }) => docChanged,
      domEventHandlers: {
        mousemove(view, { from, top }) {
          const run = runAt(view, from);
          onHover(run ?? null, view.documentTop + top);
          return false;
        },
        mouseleave() {
          onHover(null, 0);
          return false;
        },
      },
    }),
    theme,
  ];
}

class BlameMarker extends GutterMarker {
  readonly run: BlameRun;
  readonly isNamed: boolean;
  readonly words: { language: string; now: number };

  constructor(run: BlameRun, isNamed: boolean, words: { language: string; now: number }) {
    super();
    this.run = run;
    this.isNamed = isNamed;
    this.words = words;
  }

  override eq(other: BlameMarker): boolean {
    return other.run === this.run && other.isNamed === this.isNamed;
  }

  override toDOM(): Node {
    const { run, isNamed, words } = this;
    const line = document.createElement('div');
    line.className = 'cm-blame-line';
    line.style.borderColor = ageColor(ageBucket(run.timestamp, words.now));
    if (!isNamed) return line;
    const author = line.appendChild(document.createElement('span'));
    author.textContent = run.author;
    const time = line.appendChild(document.createElement('span'));
    time.textContent = formatRelativeTime(run.timestamp, words.now, words.language) ?? '';
    return line;
  }
}

const theme = EditorView.theme({
  '.cm-blame': { width: 'clamp(84px, 24vw, 210px)' },
  '.cm-blame .cm-gutterElement': { padding: '0' },
  '.cm-blame-line': {
    display: 'flex',
    height: '100%',
    gap: '8px',
    padding: '0 8px',
    borderLeft: '6px solid',
    fontFamily: 'var(--sans)',
    fontSize: '12px',
    whiteSpace: 'nowrap',
    cursor: 'default',
  },
  '.cm-blame-line span': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-blame-line span:first-child': { flex: '1' },
  '.cm-blame-line span:last-child': { flexShrink: '0', maxWidth: '60%' },
});
