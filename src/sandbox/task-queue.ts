/**
 * Waiting tasks of many users: the next one is of the user whose turn it is, oldest first, so that one who asks for much waits for
 * himself and for one task of each other.
 */
export interface TaskQueue<T> {
  readonly size: number;
  sizeOf(group: string): number;
  add(group: string, task: T): void;
  /** False when it waits no longer. */
  remove(group: string, task: T): boolean;
  /** The next task of a group that may have one now; undefined when there is none. */
  next(mayRun: (group: string) => boolean): { group: string; task: T } | undefined;
}

/** Creates an empty queue. */
export function createTaskQueue<T>(): TaskQueue<T> {
  /** In the order of their turns. */
  const groups = new Map<string, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    sizeOf: (group) => groups.get(group)?.length ?? 0,
    add(group, task) {
      const tasks = groups.get(group) ?? [];
      tasks.push(task);
      groups.set(group, tasks);
      size += 1;
    },
    remove(group, task) {
      const tasks = groups.get(group) ?? [];
      const at = tasks.indexOf(task);
      if (at === -1) return false;
      tasks.splice(at, 1);
      size -= 1;
      if (tasks.length === 0) groups.delete(group);
      return true;
    },
    next(mayRun) {
      for (const [group, tasks] of groups) {
        if (!mayRun(group)) continue;
        const task = tasks.shift()!;
        size -= 1;
        // To the end of the line.
        groups.delete(group);
        if (tasks.length > 0) groups.set(group, tasks);
        return { group, task };
      }
      return undefined;
    },
  };
}
