import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { BlameRun } from '#contract/code.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';

interface BlamedFile {
  project: Project;
  path: string;
  file: ApiReply<'GET /projects/:id/text/*'>;
  revision: string | null;
  showBlame: boolean;
}

interface FileBlame {
  query: UseQueryResult<ApiReply<'GET /projects/:id/blame/*'>, ApiError>;
  /** All runs, or those that were found so far. */
  runs: BlameRun[];
}

/** Blame of a file, whose runs come while git looks for the others. */
export function useFileBlame({ project, path, revision, showBlame, file }: BlamedFile): FileBlame {
  const [search] = useSearchParams();
  const formatting = search.get('formatting') === 'keep' ? 'keep' : 'skip';
  const [found, setFound] = useState<BlameRun[]>([]);
  const input = {
    params: { id: project.id, '*': path },
    query: { ref: revision ?? file.commit, formatting },
  } as const;
  const query = useQuery({
    ...apiQuery('GET /projects/:id/blame/*', input),
    queryFn: async ({ signal }) => {
      setFound([]);
      const onEvent = (name: string, data: unknown) => {
        if (name === 'runs') setFound((before) => addRuns(before, (data as { runs: BlameRun[] }).runs));
      };
      return await api('GET /projects/:id/blame/*', input, { signal, onEvent });
    },
    enabled: showBlame,
    staleTime: 60_000,
  });
  return { query, runs: query.data?.runs ?? found };
}

const addRuns = (before: BlameRun[], more: BlameRun[]) =>
  [...before, ...more].sort((a, b) => a.start - b.start);
