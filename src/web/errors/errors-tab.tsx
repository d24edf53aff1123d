import type { Project } from '#contract/projects.ts';
import { Inbox } from './inbox.tsx';

/** Errors of one project. */
export function ErrorsTab({ project }: { project: Project }) {
  return <Inbox projectId={project.id} />;
}
