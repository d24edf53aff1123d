import { Navigate } from 'react-router';
import type { Project } from '#contract/projects.ts';

/** A project's tab that leads into the editor, which comes back to the project when it is closed. */
export function IdeTab({ project: { id } }: { project: Project }) {
  return <Navigate to={`/ide/${id}`} state={{ from: `/projects/${id}` }} />;
}
