import { subscribe } from 'node:diagnostics_channel';

/*
 * Loaded into the server by `--import` to inject faults, by environment variables:
 *
 *     FAILPOINT=index-built        SIGKILL at this moment; `index-generation:2` at the second time
 *     FAILPOINT=git:update-ref     SIGKILL before this git command starts
 *     CLOCK_OFFSET_MS=3600000      the clock of this process runs an hour ahead
 */
const { FAILPOINT, CLOCK_OFFSET_MS } = process.env;

if (FAILPOINT) {
  const [, name = '', times = '1'] = /^(.+?)(?::(\d+))?$/.exec(FAILPOINT) ?? [];
  let left = Number(times);
  const pass = () => {
    left -= 1;
    if (left <= 0) process.kill(process.pid, 'SIGKILL');
  };
  subscribe('hindsight:failpoint', (reached) => {
    if (reached === name) pass();
  });
  subscribe('hindsight:git', (message) => {
    const { argv } = message as { argv: string[] };
    if (name.startsWith('git:') && argv[argv.indexOf('git') + 1] === name.slice('git:'.length)) pass();
  });
}

if (CLOCK_OFFSET_MS) {
  const offset = Number(CLOCK_OFFSET_MS);
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args: []) {
      if (args.length === 0) super(RealDate.now() + offset);
      else super(...args);
    }
    static override now() {
      return RealDate.now() + offset;
    }
  } as DateConstructor;
}
