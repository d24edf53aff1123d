/** The value below which a share (0 to 1) of some values lie. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Milliseconds that each of some things takes: the least of several rounds, since other programs of the machine can
 * only make it more. A first round warms up and is not counted.
 */
export async function timeEach<T>(items: T[], rounds: number, run: (item: T) => unknown): Promise<number[]> {
  const fastest = items.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, item] of items.entries()) {
      const start = performance.now();
      await run(item);
      if (round > 0) fastest[index] = Math.min(fastest[index]!, performance.now() - start);
    }
  }
  return fastest;
}

/** Milliseconds that each of some things takes when it is done once: by the clock, and of this process's processor time. */
export async function timeOnce<T>(
  items: T[],
  run: (item: T) => unknown,
): Promise<{ wall: number[]; processor: number[] }> {
  const [wall, processor]: [number[], number[]] = [[], []];
  for (const item of items) {
    const [start, cpuBefore] = [performance.now(), process.cpuUsage()];
    await run(item);
    wall.push(performance.now() - start);
    const { user, system } = process.cpuUsage(cpuBefore);
    processor.push((user + system) / 1000);
  }
  return { wall, processor };
}

/** Milliseconds of one thing beside another, the least of several rounds in turn, so that both see the same machine. */
export async function race(
  rounds: number,
  ours: () => unknown,
  theirs: () => unknown,
): Promise<[ours: number, theirs: number]> {
  const fastest: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of [ours, theirs].entries()) {
      const start = performance.now();
      await run();
      fastest[index] = Math.min(fastest[index]!, performance.now() - start);
    }
  }
  return fastest;
}
