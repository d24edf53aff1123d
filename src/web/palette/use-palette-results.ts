import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api-query.ts';
import type { PaletteInput } from './palette-items.ts';

const PREPARING_POLL_MS = 700;

/** Names that the server finds for the input, asked for at every key; an older request is aborted. */
export function usePaletteResults({ mode, q }: PaletteInput, projectId: string | null) {
  const kind = mode === 'symbols' || mode === 'history' ? mode : 'all';
  const isAsked = mode === 'history' || ((mode === 'all' || mode === 'symbols') && q !== '');
  const query = useQuery({
    ...apiQuery('GET /palette', { query: { q, kind, ...(projectId !== null && { project_id: projectId }) } }),
    // The first request, without a text, lets the server collect the names.
    enabled: isAsked || q === '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
    refetchInterval: ({ state }) => (state.data && state.data.preparing > 0 ? PREPARING_POLL_MS : false),
  });
  return {
    found: isAsked ? query.data : undefined,
    /** The shown results belong to an earlier text. */
    isStale: isAsked && (query.isPlaceholderData || query.isLoading),
    preparing: query.data?.preparing ?? 0,
    omitted: query.data?.omitted ?? 0,
    error: isAsked ? query.error : null,
  };
}
