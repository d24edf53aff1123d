import { join } from 'node:path';
import { projectStorage } from './storage.ts';

/** Survey of the age of a project's code, below the folder of the project. */
export const SURVEY_FILE = 'code-age.json';

/** Path of a project's survey of the age of its code. */
export function surveyPath(dataDir: string, projectId: string): string {
  return join(projectStorage(dataDir, projectId).root, SURVEY_FILE);
}
