import { serveTasks } from '#sandbox/serve-tasks.ts';
import type { TypeService } from './check-types.ts';
import type { TypeReply, TypeTask } from './type-task.ts';

let service: TypeService | undefined;

serveTasks<TypeTask, never, TypeReply>(
  async (task) => service!.check(task),
  // Loads the checker, once.
  async () => {
    if (service) return;
    const { TypeService } = await import('./check-types.ts');
    service = new TypeService();
  },
);
