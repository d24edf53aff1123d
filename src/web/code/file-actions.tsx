import type { Project } from '#contract/projects.ts';
import { LocalEditorLink } from '../parts/local-editor-link.tsx';
import { WatchButton } from '../parts/watch-button.tsx';

interface FileActionsProps {
  project: Project;
  path: string;
  /** Line to open. */
  line: number;
}

/** Actions of a file that are no part of its view. */
export function FileActions({ project, path, line }: FileActionsProps) {
  return (
    <>
      <WatchButton subject={{ project_id: project.id, kind: 'path', value: path }} />
      <LocalEditorLink project={project} path={path} line={line} />
    </>
  );
}
