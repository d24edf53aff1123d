import { expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { identifyAuthors, readAuthors } from './authors.ts';

/** Names of the people of a history in the order of their commits, oldest first, by its `.mailmap`. */
async function namesOf(signatures: [name: string, email: string][], mailmap = ''): Promise<string[]> {
  const repository = await buildRepository(async (repo) => {
    for (const [i, [author, email]] of signatures.entries()) {
      await repo.commit({
        author,
        email,
        message: `Change ${i}`,
        files: { '.mailmap': mailmap, 'a.txt': `${i}` },
      });
    }
  });
  try {
    const index = await indexRepository(repository.path);
    const { names, authorOf } = await readAuthors({ repo: repository.path, index });
    expect(identifyAuthors(index, []).names).toEqual(names);
    return Array.from(authorOf, (author) => names[author]!).reverse();
  } finally {
    await repository.remove();
  }
}

test('one name with several emails is one person, however it is written', async () => {
  const names = await namesOf([
    ['KaKa', 'kaka@work.example'],
    ['KaKa', '23028015+kaka03@users.noreply.github.com'],
    ['kaka', 'kaka@home.example'],
    ['Ada Byron', 'byron@work.example'],
  ]);
  expect(names).toEqual(['KaKa', 'KaKa', 'KaKa', 'Ada Byron']);
});

test('the private email of an account stands for its name, in both of its forms, and so does its login', async () => {
  const names = await namesOf([
    ['Ada Lovelace', '7+countess@users.noreply.github.com'],
    ['Ada Lovelace', '7+countess@users.noreply.github.com'],
    ['ada', 'Countess@users.noreply.github.com'],
    ['countess', 'ada@laptop.local'],
    ['count', 'ada@other.local'],
  ]);
  expect(names).toEqual([...new Array(4).fill('Ada Lovelace'), 'count']);
});

test('.mailmap decides before names and emails', async () => {
  const names = await namesOf(
    [
      ['dev', 'build@example.org'],
      ['Bob', 'build@example.org'],
      ['Bob', 'build@example.org'],
      ['Ada', 'ada@old.example'],
    ],
    'Grace Hopper <grace@example.org> dev <build@example.org>\nAda Lovelace <ada@example.org> <ada@old.example>\n',
  );
  expect(names).toEqual(['Grace Hopper', 'Bob', 'Bob', 'Ada Lovelace']);
});
