import { Navigate } from 'react-router';
import type { Project } from '#contract/projects.ts';

/** Opens the editor, which returns to the project when closed. */
export function IdeTab({ project: { id } }: { project: Project }) {
  return <Navigate to={`/ide/${id}`} state={{ from: `/projects/${id}` }} />;
}
