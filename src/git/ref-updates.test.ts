import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listRefs, updateRefs } from './ref-updates.ts';
import { buildRepository } from './testing.ts';

test('the lock file of a killed git does not keep a ref from moving; that of a running one does', async () => {
  let first = '';
  const repository = await buildRepository(async (repo) => {
    first = await repo.commit({ message: 'one', files: { a: '1\n' } });
    await repo.commit({ message: 'two', files: { a: '2\n' } });
  });
  try {
    const from = await listRefs(repository.path, ['refs/heads']);
    const to = new Map([['refs/heads/main', first]]);
    const lock = join(repository.path, 'refs/heads/main.lock');
    await writeFile(lock, '');
    expect(await updateRefs(repository.path, { from, to })).toBe(false);
    const old = new Date(Date.now() - 60_000);
    await utimes(lock, old, old);
    expect(await updateRefs(repository.path, { from, to })).toBe(true);
    expect(await listRefs(repository.path, ['refs/heads'])).toEqual(to);
  } finally {
    await repository.remove();
  }
});
