import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './speed-row.ts';

/** An empty folder inside that of the subject. */
export async function newFolder({ folder }: Pick<Subject, 'folder'>, name: string): Promise<string> {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Bytes of the files in a folder whose names fit. */
export function bytesIn(folder: string, fits: (name: string) => boolean): number {
  return readdirSync(folder)
    .filter(fits)
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
