import { expect, test } from 'vitest';
import { backupFault } from './backup.ts';
import type { Fault } from './fault.ts';
import { ingestFault } from './ingest.ts';
import { migrationFault } from './migration.ts';
import { saveFault } from './saves.ts';

/** The short form: one trial each, by the same code as `npm run faults`; times are not judged on a shared machine. */
const SHORT: Fault[] = [ingestFault, saveFault, backupFault, migrationFault];

test.each(SHORT)('$id $name', async (fault) => {
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  const { trials, losses } = await fault.run({ short: true, report });
  expect({ trials, losses }, lines.join('\n')).toEqual({ trials: 1, losses: 0 });
});
