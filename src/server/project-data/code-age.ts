import { join } from 'node:path';
import { projectStorage } from './storage.ts';

/** Path of a project's survey of the age of its code. */
export function surveyPath(dataDir: string, projectId: string): string {
  return join(projectStorage(dataDir, projectId).root, 'code-age.json');
}
