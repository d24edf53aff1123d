import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { git, isRefName } from '#git/run.ts';
import { findNameConflict, requireValidBranchName } from '../project-data/branches.ts';
import { createIdeFixture, type IdeFixture } from './testing.ts';

describe('names', () => {
  const isTaken = (name: string) => {
    try {
      requireValidBranchName(name);
      return true;
    } catch {
      return false;
    }
  };
  const isAcceptedByGit = (name: string) =>
    !name.includes('\0') && spawnSync('git', ['check-ref-format', '--branch', name]).status === 0;

  test('names that git rejects are rejected', () => {
    const parts = [
      'a',
      'B',
      'x.lock',
      '.y',
      'y.',
      '..',
      '@{',
      '@',
      '-',
      '-a',
      '.lock',
      'lock',
      'HEAD',
      'é',
      '\u0065\u0301',
    ];
    const odd = [
      '~1',
      '^',
      ':',
      '?',
      '*',
      '[',
      '\\',
      ' ',
      '\u007f',
      '\u0001',
      '\u200d',
      '😀',
      '',
      '/',
      'refs',
      'a.lock.b',
    ];
    const all = [...parts, ...odd];
    const names = new Set(all);
    for (const one of all) for (const two of all) names.add(`${one}/${two}`).add(one + two);
    // A fixed pseudo-random sequence of three or four parts.
    let seed = 4711;
    const pick = () => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return all[seed % all.length]!;
    };
    for (let count = 0; count < 400; count++) {
      names.add(`${pick()}/${pick()}${pick()}`).add(`${pick()}${pick()}/${pick()}/${pick()}`);
    }
    const accepted = [...names].filter(isTaken);
    expect(accepted.filter((name) => !isAcceptedByGit(name))).toEqual([]);
    // git accepts a ref of this name.
    expect(accepted.filter((name) => !isRefName(`refs/heads/${name}`))).toEqual([]);
    expect(accepted).toEqual(expect.arrayContaining(['a', 'a/B', 'a/lock', 'a/a.lock.b', 'B-a']));
  });

  test.each(['x.lock/y', 'x/.y', 'refs', 'refs/heads/x', 'HINDSIGHT/a', 'Hindsight', 'head', 'ORIG_HEAD'])(
    '%s is rejected',
    (name) => {
      expect(isTaken(name)).toBe(false);
    },
  );

  test('over-long names, Unicode and full hashes are rejected', () => {
    for (const name of ['x'.repeat(201), `a/${'x'.repeat(256)}`, 'caf\u00e9', 'cafe\u0301', 'a'.repeat(40)]) {
      expect(isTaken(name), name).toBe(false);
    }
  });

  test.each([
    ['release', ['release/1.0'], 'release/1.0'],
    ['release/1.0', ['release'], 'release'],
    ['deep/er/one', ['deep/er'], 'deep/er'],
    ['Release', ['release'], 'release'],
    ['Deep/two', ['deep/one'], 'deep/one'],
    ['deep/two', ['deep/one', 'deeper', 'dee/p'], null],
    ['release-1', ['release'], null],
  ])('%s among %j conflicts with %s', (name, existing, conflict) => {
    expect(findNameConflict(name, existing)).toBe(conflict);
  });
});

describe('saving', () => {
  let fixture: IdeFixture;
  beforeAll(async () => {
    fixture = await createIdeFixture({ 'README.md': '# Words\n' });
  });
  afterAll(() => fixture.close());

  const save = async (branch: string, user = fixture.ada) =>
    await fixture.app.call(
      ideRoutes.save,
      { params: { id: fixture.projectId, '*': 'a.txt' }, body: { content: `${branch}\n`, branch } },
      user,
    );
  const rows = async () =>
    (await fixture.app.deps.db.selectFrom('branches').select('name').execute()).map(({ name }) => name);
  const refs = async () =>
    (
      await git(fixture.repo, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'], {
        name: 'refs',
      })
    ).stdout
      .toString()
      .split('\n')
      .filter(Boolean);

  test('a conflicting or invalid name is rejected with a message and leaves no row', async () => {
    for (const name of ['release', 'deep/er/one']) expect((await save(name)).status, name).toBe(200);
    const bad = ['x.lock/y', 'x/.y', 'refs', 'HINDSIGHT/a', 'x'.repeat(300), 'caf\u00e9', 'a//b', '@'];
    const taken = ['release/1.0', 'deep/er', 'deep', 'RELEASE', 'DEEP/two'];
    for (const pack of [false, true]) {
      if (pack) await git(fixture.repo, ['pack-refs', '--all'], { name: 'pack-refs' });
      for (const name of bad) expect([400, 422], name).toContain((await save(name)).status);
      for (const name of taken) {
        for (const user of [fixture.ada, fixture.bea]) {
          const { status, error } = await save(name, user);
          expect({ name, status }).toEqual({ name, status: 409 });
          expect(error?.reason).toBe('branch_exists');
        }
      }
    }
    expect((await rows()).sort()).toEqual(['deep/er/one', 'release']);
    expect((await refs()).sort()).toEqual(['deep/er/one', 'release']);
  });

  test('a save without a commit creates no branch', async () => {
    const params = { id: fixture.projectId, '*': 'README.md' };
    const same = { content: '# Words\n', branch: 'unchanged' };
    expect((await fixture.app.call(ideRoutes.save, { params, body: same }, fixture.ada)).status).toBe(200);
    const wrong = { content: 'x\n', branch: 'refused', base_sha: '1'.repeat(40) };
    expect((await fixture.app.call(ideRoutes.save, { params, body: wrong }, fixture.ada)).status).not.toBe(
      200,
    );
    expect(await rows()).not.toEqual(expect.arrayContaining(['unchanged']));
    expect(await rows()).not.toEqual(expect.arrayContaining(['refused']));
  });

  test('concurrent conflicting branches: one wins, and rows match refs', async () => {
    const replies = await Promise.all([
      ...['race', 'race/a/b', 'race/a'].map((name) => save(name, fixture.ada)),
      ...['race/a/b/c', 'race/x', 'race'].map((name) => save(name, fixture.bea)),
    ]);
    for (const { status } of replies) expect([200, 409, 503]).toContain(status);
    expect((await rows()).sort()).toEqual((await refs()).sort());
  });

  test('a member has at most 200 branches', async () => {
    const head = await fixture.upstream.head();
    await fixture.app.deps.db
      .insertInto('branches')
      .values(
        Array.from({ length: 200 }, (_, index) => ({
          ...{ project_id: fixture.projectId, user_id: fixture.bea.id, name: `many/${index}` },
          ...{ base: head, head },
        })),
      )
      .execute();
    expect(await save('one-more', fixture.bea)).toMatchObject({
      status: 413,
      error: { reason: 'too_many_branches' },
    });
    expect((await save('one-more', fixture.ada)).status).toBe(200);
  });
});
