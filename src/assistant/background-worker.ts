import { setPriority } from 'node:os';

const LOWEST_PRIORITY = 19;

// Linux has a priority for each thread; elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(0, LOWEST_PRIORITY);

export { runTask } from './worker.ts';
