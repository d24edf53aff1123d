import { serveTasks } from '#sandbox/serve-tasks.ts';
import { check, type Diagnosis } from './check.ts';

serveTasks<{ path: string; text: string }, never, Diagnosis>(
  (file) => check(file),
  // The first file of a language loads its checker.
  ({ path }) => check({ path, text: '' }),
);
