import { setPriority } from 'node:os';
import { answer, replay } from './worker.ts';

const LOWEST_PRIORITY = 19;

// Linux keeps a priority for each thread; elsewhere this would slow down the whole process.
if (process.platform === 'linux') setPriority(0, LOWEST_PRIORITY);

export { answer, replay };
