import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useMatch, useSearchParams } from 'react-router';
import type { ApiError } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { buildSuggestions, type SuggestionGroup } from './build-suggestions.ts';

/** Debounce of typing. */
const DEBOUNCE_MS = 200;
const MIN_QUERY_LENGTH = 2;
const RESULT_LIMIT = '6';

interface Suggestions {
  groups: SuggestionGroup[];
  /** Searched project: that of the page, or the newest indexed one. */
  project: { id: string; name: string } | null;
  searching: boolean;
  error: ApiError | null;
}

/** Suggestions while typing, debounced; disabled for short texts. */
export function useSuggestions(text: string): Suggestions {
  const q = useDebounced(text.trim());
  const isSearchable = q.length >= MIN_QUERY_LENGTH;
  const projects = useQuery({ ...apiQuery('GET /projects'), enabled: isSearchable });
  const here = useCurrentProjectId();
  const project =
    projects.data?.find(({ id }) => id === here) ??
    projects.data?.find(({ indexed_commit }) => indexed_commit !== null) ??
    null;
  const found = useQuery({
    ...apiQuery('GET /search', { query: { q, project_id: project?.id ?? '', limit: RESULT_LIMIT } }),
    enabled: isSearchable && project !== null,
    retry: false,
  });
  const groups = isSearchable
    ? buildSuggestions(q, {
        projects: projects.data ?? [],
        projectId: project?.id ?? null,
        found: found.data,
      })
    : [];
  return {
    groups,
    project,
    searching: q !== text.trim() || projects.isLoading || found.isLoading,
    error: projects.error ?? (isNotReady(found.error) ? null : found.error),
  };
}

/** Project of the current page or search. */
function useCurrentProjectId(): string | null {
  const [query] = useSearchParams();
  const page = useMatch('/projects/:id/*');
  return page?.params.id ?? query.get('project_id');
}

/** A project without an index has no results, which is no error. */
function isNotReady(error: ApiError | null): boolean {
  return error?.reason === 'not_ready';
}

function useDebounced(text: string): string {
  const [debounced, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
