import type { CDPSession } from 'playwright-core';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ph: string;
  /** Microseconds by the clock, and of the processor. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Processor milliseconds of every task of the page's main thread while `act` runs, from the trace of the browser. */
export async function readTasks(session: CDPSession, act: () => Promise<void>): Promise<number[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  await act();
  await session.send('Tracing.end');
  await complete;
  const keyed = events.filter(({ name }) => name === 'EventDispatch');
  const [main] = [...Map.groupBy(keyed, ({ pid, tid }) => `${pid}:${tid}`)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  if (!main) throw new Error('The trace has no event of the page.');
  return events
    .filter(({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && `${pid}:${tid}` === main[0])
    .map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1_000);
}
