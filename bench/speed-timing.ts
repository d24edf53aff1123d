/** The value below which a share (0 to 1) of some values lie. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Milliseconds that each of some things takes: the least of several rounds, since other programs of the machine can
 * only make it more. A first round warms up and is not counted.
 */
export async function timeEach<T>(
  things: T[],
  rounds: number,
  run: (thing: T) => unknown,
): Promise<number[]> {
  const least = things.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, thing] of things.entries()) {
      const began = performance.now();
      await run(thing);
      if (round > 0) least[index] = Math.min(least[index]!, performance.now() - began);
    }
  }
  return least;
}

/** Milliseconds that each of some things takes when it is done once: by the clock, and of this process's processor time. */
export async function timeOnce<T>(
  things: T[],
  run: (thing: T) => unknown,
): Promise<{ wall: number[]; processor: number[] }> {
  const [wall, processor]: [number[], number[]] = [[], []];
  for (const thing of things) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    await run(thing);
    wall.push(performance.now() - began);
    const { user, system } = process.cpuUsage(used);
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
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of [ours, theirs].entries()) {
      const began = performance.now();
      await run();
      least[index] = Math.min(least[index]!, performance.now() - began);
    }
  }
  return least;
}
