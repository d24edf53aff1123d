import { expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { followRenames } from './renames.ts';

test('follows a file through its renames, and no further', async () => {
  const at = (day: number) => ({ date: `2024-01-0${day}T00:00:00Z`, message: `Day ${day}` });
  const repository = await buildRepository(async (repo) => {
    await repo.commit({ ...at(1), files: { 'a.js': 'export const one = 1;\n', 'z.js': 'export {};\n' } });
    await repo.rename('a.js', 'lib/b.js', at(2));
    await repo.rename('lib/b.js', 'src/c.js', at(3));
  });
  try {
    const { commits } = await indexRepository(repository.path, 'main');
    const names = followRenames(['src/c.js', 'z.js', 'absent.js'], commits);
    expect(names.allPaths('src/c.js')).toEqual(['src/c.js', 'lib/b.js', 'a.js']);
    expect(names.allPaths('z.js')).toEqual(['z.js']);
    expect(names.allPaths('absent.js')).toEqual(['absent.js']);
    expect(names.allPaths('other.js')).toEqual(['other.js']);
    expect(names.currentPath('a.js')).toBe('src/c.js');
    expect(names.currentPath('other.js')).toBe('other.js');
  } finally {
    await repository.remove();
  }
});
