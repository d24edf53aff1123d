import type { Project } from '#contract/projects.ts';

/** True for a project whose repository takes pushes; false for a folder of the server and the sample. */
export function isRemoteProject({ git_url }: Pick<Project, 'git_url'>): boolean {
  return /^(?:https?|ssh):\/\//.test(git_url);
}
