import { serveTasks } from '#sandbox/serve-tasks.ts';
import { checkFile, type Diagnosis } from './check.ts';

serveTasks<{ path: string; text: string }, never, Diagnosis>(
  (file) => checkFile(file),
  // The first file of a language loads its checker.
  ({ path }) => checkFile({ path, text: '' }),
);
