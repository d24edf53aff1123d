import { releaseRemovedProjects } from './release-removed.ts';
import { createTaskRunner } from './task-runner.ts';
import { tasks } from './tasks.ts';

/** Entry point of the pool's threads. */
export const runTask = createTaskRunner(tasks, { beforeEach: releaseRemovedProjects });
