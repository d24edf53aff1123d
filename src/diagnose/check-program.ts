import { serveTasks } from '#sandbox/serve-tasks.ts';
import { check, type Diagnosis } from './check.ts';

serveTasks<{ path: string; text: string }, never, Diagnosis>((file) => check(file));
