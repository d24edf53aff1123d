import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { PIECE_BYTES } from '#contract/ide.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { loadCodeLanguage } from '../parts/code-languages.ts';
import { Button } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { baseExtensions, languageCompartment } from './editor-state.ts';
import type { Workspace } from './use-workspace.ts';

/** A file that is too large to be edited, read in pieces of whole lines. */
export function LargeFile({ workspace, path }: { workspace: Workspace; path: string }) {
  const { t, i18n } = useTranslation('editor');
  const { project, fileRef } = workspace;
  const [offset, setOffset] = useState(0);
  const query = useQuery({
    ...apiQuery('GET /ide/projects/:id/pieces/*', {
      params: { id: project.id, '*': path },
      query: { offset: String(offset), ...(fileRef !== null && { ref: fileRef }) },
    }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const percent = (bytes: number, size: number) =>
    new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 }).format(bytes / size);
  return (
    <QueryState query={query} loading={['40%', '62%', '54%', '70%']} errorClassName="m-3">
      {({ size, start, end, first_line: firstLine, text }) => (
        <div className="flex h-full min-h-0 flex-col">
          <nav
            aria-label={t('large.pieces')}
            className="flex shrink-0 flex-wrap items-center gap-2 border-b border-border bg-background px-3 py-1.5"
          >
            <Button size="small" disabled={start === 0} onClick={() => setOffset(0)}>
              {t('large.first')}
            </Button>
            <Button
              size="small"
              disabled={start === 0}
              onClick={() => setOffset(Math.max(0, start - PIECE_BYTES))}
            >
              {t('large.previous')}
            </Button>
            <Button size="small" disabled={end >= size} onClick={() => setOffset(end)}>
              {t('large.next')}
            </Button>
            <Button
              size="small"
              disabled={end >= size}
              onClick={() => setOffset(Math.max(0, size - PIECE_BYTES))}
            >
              {t('large.last')}
            </Button>
            <span role="status" className="text-sm text-muted">
              {t('large.position', {
                line: firstLine,
                from: percent(start, size),
                to: percent(end, size),
                size: (size / 2 ** 20).toFixed(1),
              })}
            </span>
          </nav>
          <div className="min-h-0 flex-1">
            <PieceView path={path} text={text} firstLine={firstLine} />
          </div>
        </div>
      )}
    </QueryState>
  );
}

function PieceView({ path, text, firstLine }: { path: string; text: string; firstLine: number }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: place.current!,
      doc: text.replace(/\n$/, ''),
      extensions: [
        lineNumbers({ formatNumber: (line) => String(line + firstLine - 1) }),
        EditorState.readOnly.of(true),
        baseExtensions('lf', path),
        languageCompartment.of([]),
      ],
    });
    let isShown = true;
    loadCodeLanguage(path)?.then(
      (language) => isShown && view.dispatch({ effects: languageCompartment.reconfigure(language) }),
      // A file whose language fails to load is plain text.
      () => {},
    );
    return () => {
      isShown = false;
      view.destroy();
    };
  }, [path, text, firstLine]);
  return <div ref={place} className="h-full min-h-0" />;
}
