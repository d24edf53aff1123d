import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useMatch, useSearchParams } from 'react-router';
import type { ApiError } from '../api.ts';
import { read } from '../query.ts';
import { type SuggestionGroup, suggest } from './suggest.ts';

/** A pause in typing that is worth a question. */
const PAUSE_MS = 200;
const SHORTEST = 2;
const FOUND = '6';

interface Suggestions {
  groups: SuggestionGroup[];
  /** The project that is searched: the page's, or the newest that has been read. */
  project: { id: string; name: string } | null;
  searching: boolean;
  error: ApiError | null;
}

/** What is found for the text while it is typed; nothing is asked for an empty one. */
export function useSuggestions(text: string): Suggestions {
  const q = usePause(text.trim());
  const asked = q.length >= SHORTEST;
  const projects = useQuery({ ...read('GET /projects'), enabled: asked });
  const here = useHere();
  const project =
    projects.data?.find(({ id }) => id === here) ??
    projects.data?.find(({ indexed_commit }) => indexed_commit !== null) ??
    null;
  const found = useQuery({
    ...read('GET /search', { query: { q, project_id: project?.id ?? '', limit: FOUND } }),
    enabled: asked && project !== null,
    retry: false,
  });
  const groups = asked
    ? suggest(q, { projects: projects.data ?? [], projectId: project?.id ?? null, found: found.data })
    : [];
  return {
    groups,
    project,
    searching: q !== text.trim() || projects.isLoading || found.isLoading,
    error: projects.error ?? (isEarly(found.error) ? null : found.error),
  };
}

/** The project whose page, or whose results, are shown. */
function useHere(): string | null {
  const [query] = useSearchParams();
  const page = useMatch('/projects/:id/*');
  return page?.params.id ?? query.get('project_id');
}

/** A project that is still being read has nothing to show yet, which is no fault. */
function isEarly(error: ApiError | null): boolean {
  return error?.reason === 'not_ready';
}

function usePause(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
