import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultStore, RunReport } from '#proof/runner.ts';

/** Characters of an output that are kept: its end. */
const MAX_KEPT_OUTPUT = 50_000;

/** Keeps results in a folder of the cache, one file each, so that an interrupted search goes on where it stopped. */
export function openResultFolder(folder: string): ResultStore {
  return {
    get: async (key) => {
      try {
        const value: unknown = JSON.parse(await readFile(join(folder, key), 'utf8'));
        return isReport(value) ? value : null;
      } catch {
        return null;
      }
    },
    set: async (key, report) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const kept = { ...report, output: report.output.slice(-MAX_KEPT_OUTPUT) };
      await writeFile(join(folder, `${key}.next`), JSON.stringify(kept), { mode: 0o600 });
      await rename(join(folder, `${key}.next`), join(folder, key));
    },
  };
}

function isReport(value: unknown): value is RunReport {
  if (typeof value !== 'object' || value === null) return false;
  const { outcome, output, ms } = value as Partial<RunReport>;
  return (
    ['good', 'bad', 'skip'].includes(outcome ?? '') && typeof output === 'string' && typeof ms === 'number'
  );
}
