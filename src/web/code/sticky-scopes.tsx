import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { CodeSymbol } from '#contract/code.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { functionUrl } from './code-urls.ts';

/** Below the top bar. */
const TOP = 48;

interface StickyScopesProps {
  project: Project;
  path: string;
  revision: string | null;
  /** Element whose descendants have `data-line`. */
  box: RefObject<HTMLElement | null>;
}

/** The definitions around the first visible line, once their heads have scrolled away. */
export function StickyScopes({ project, path, revision, box }: StickyScopesProps) {
  const { t } = useTranslation('code');
  const outline = useQuery({
    ...apiQuery('GET /projects/:id/outline/*', {
      params: { id: project.id, '*': path },
      query: { ref: revision ?? undefined },
    }),
    staleTime: 60_000,
    retry: false,
  });
  const line = useFirstVisibleLine(box);
  const scopes = scopesAround(outline.data?.symbols ?? [], line);
  if (scopes.length === 0) return null;
  return (
    <nav
      aria-label={t('scopes')}
      className="sticky top-12 z-10 flex flex-wrap gap-x-2 border-b border-border bg-surface px-3 py-1 font-mono text-sm"
    >
      {scopes.map(({ name, start }, index) => (
        <span key={start} className="flex items-center gap-2">
          {index > 0 && (
            <span aria-hidden className="text-muted">
              ›
            </span>
          )}
          <a href={`#L${start}`} className="text-foreground hover:text-action">
            <Verbatim text={name.slice(name.lastIndexOf('.') + 1)} />
          </a>
          {index === scopes.length - 1 && revision === null && (
            <Link to={functionUrl(project.id, path, name)} className="font-sans text-action hover:underline">
              {t('function.open')}
            </Link>
          )}
        </span>
      ))}
    </nav>
  );
}

function scopesAround(symbols: CodeSymbol[], line: number): CodeSymbol[] {
  return symbols.filter(({ start, end }) => start < line && end >= line);
}

/** Number of the first line below the top bar; 0 while the head of the file is visible. */
function useFirstVisibleLine(box: RefObject<HTMLElement | null>): number {
  const [line, setLine] = useState(0);
  useEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      const place = box.current?.getBoundingClientRect();
      if (!place || place.top > TOP) return setLine(0);
      if (place.bottom < TOP) return;
      const rows = document.elementsFromPoint(place.left + 24, TOP + 40);
      const row = rows.map((one) => one.closest<HTMLElement>('[data-line]')).find((one) => one !== null);
      if (row) setLine(Number(row.dataset.line));
      // The lines of a long jump are numbered some frames later.
      else onScroll();
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(measure);
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      removeEventListener('scroll', onScroll);
      cancelAnimationFrame(frame);
    };
  }, [box]);
  return line;
}
