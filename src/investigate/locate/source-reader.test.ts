import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveCommit } from '#git/refs.ts';
import { buildRepository } from '#git/testing.ts';
import { openIndex, readGeneration } from '#memory/index/generation-reader.ts';
import { buildSuperset } from '#memory/testing.ts';
import { openSourceReader } from './source-reader.ts';

const FILES = {
  'shop.js': `\n// Größe\nclass Shop {\n  open() {\n    return 1;\n  }\n}\n\nexport const shop = new Shop();\n`,
  'no-end.py': 'def f():\r\n    return 1\n\n\n\ndef g():\n    return 2',
  'notes.md': `# One\n\n${'A line.\n'.repeat(300)}`,
  'long.txt': 'word '.repeat(80),
  'empty.txt': '',
};

test('files are read from the index as in git, and from git once the index has no texts', async () => {
  const repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Begin', files: FILES });
  });
  const directory = await mkdtemp(join(tmpdir(), 'hindsight-texts-'));
  try {
    const head = await resolveCommit(repository.path, 'HEAD');
    await buildSuperset(repository.path, [head!], directory, 'generation');
    const open = async () => openIndex(await readGeneration(directory, 'generation'));
    const [index, unread] = [await open(), await open()];
    const read = async (repo: string, path: string, from = index) => {
      const sources = openSourceReader(repo, from);
      const lines = await sources.lines(path).catch(() => 'read from git');
      sources.close();
      return lines;
    };
    const elsewhere = join(directory, 'no-repository');
    for (const path of ['shop.js', 'no-end.py', 'notes.md'] as const) {
      expect(await read(elsewhere, path), path).toEqual(FILES[path].split('\n'));
    }
    await rm(join(directory, 'generation'), { recursive: true });
    expect(await read(elsewhere, 'notes.md', unread)).toBe('read from git');
    for (const [path, text] of Object.entries(FILES)) {
      expect(await read(repository.path, path, unread), path).toEqual(text.split('\n'));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
    await repository.remove();
  }
});
