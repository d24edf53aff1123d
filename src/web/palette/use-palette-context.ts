import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useMatch } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import type { PaletteContext } from './palette-items.ts';

/** Id of the project whose page or editor is shown; null elsewhere. */
function useCurrentProjectId(): string | null {
  const page = useMatch('/projects/:id/*');
  const editor = useMatch('/ide/:id');
  return page?.params.id ?? editor?.params.id ?? null;
}

const NO_PROJECTS: ApiReply<'GET /projects'> = [];

/** Place of the reader: project, open file, and the names of all projects. */
export function usePaletteContext() {
  const projects = useQuery({ ...apiQuery('GET /projects'), staleTime: 60_000 }).data ?? NO_PROJECTS;
  const projectId = useCurrentProjectId();
  const { pathname, search } = useLocation();
  const isEditor = pathname.startsWith('/ide/');
  const context = useMemo((): PaletteContext => {
    const names = new Map(projects.map(({ id, name }) => [id, name]));
    return { projectId, isEditor, projectName: (id) => names.get(id) ?? '' };
  }, [projects, projectId, isEditor]);
  const isFile = isEditor
    ? new URLSearchParams(search).has('file')
    : /^\/projects\/[^/]+\/files\/./.test(pathname);
  return { context, projects, isFile };
}
