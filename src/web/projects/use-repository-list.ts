import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiInput, ApiReply } from '#contract/api.ts';
import type { HostedRepository } from '#contract/connect.ts';
import { ApiError, api } from '../api.ts';
import { projectKeys } from '../query-keys.ts';

export type ListRequest = ApiInput<'POST /repositories/list'>['body'];

/** State of the repositories of one owner: their pages, the chosen ones, and the import of these. */
export function useRepositoryList() {
  const [repositories, setRepositories] = useState<HostedRepository[]>([]);
  const list = useMutation<ApiReply<'POST /repositories/list'>, ApiError, ListRequest>({
    mutationFn: (body) => api('POST /repositories/list', { body }),
    onSuccess: (page, request) =>
      setRepositories((known) =>
        request.page === undefined || request.page === 1
          ? page.repositories
          : [...known, ...page.repositories],
      ),
  });
  const markConnected = (url: string, project_id: string) =>
    setRepositories((all) => all.map((each) => (each.git_url === url ? { ...each, project_id } : each)));
  return { repositories, list, markConnected };
}

interface ImportState {
  done: number;
  total: number;
  added: number;
  /** Messages by URL of the repositories that were refused. */
  failures: ReadonlyMap<string, string>;
}

/** Connects repositories one after the other; one that is refused does not stop the others, a plan limit does. */
export function useImport(onConnected: (url: string, projectId: string) => void) {
  const client = useQueryClient();
  const [state, setState] = useState<ImportState | null>(null);
  const run = async (chosen: readonly HostedRepository[], token: string) => {
    const failures = new Map<string, string>();
    let added = 0;
    for (const [done, repository] of chosen.entries()) {
      setState({ done, total: chosen.length, added, failures });
      try {
        const project = await connect(repository, token);
        added++;
        onConnected(repository.git_url, project.id);
      } catch (error) {
        failures.set(repository.git_url, error instanceof Error ? error.message : String(error));
        if (error instanceof ApiError && error.code === 'plan_limit') break;
      }
    }
    setState({ done: chosen.length, total: chosen.length, added, failures });
    await client.invalidateQueries({ queryKey: projectKeys.list });
  };
  return { state, isRunning: state !== null && state.done < state.total, run };
}

async function connect({ name, git_url, description, private: isPrivate }: HostedRepository, token: string) {
  // A public repository needs no token.
  const credential = isPrivate && token !== '' ? ({ kind: 'token', token } as const) : null;
  const text = description?.slice(0, 1000) || null;
  return await api('POST /projects', {
    body: { name: name.slice(0, 100), git_url, description: text, credential },
  });
}
