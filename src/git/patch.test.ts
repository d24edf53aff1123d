import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPatch } from './apply.ts';
import { parseDiff } from './diff.ts';
import { unquotePath } from './quoting.ts';
import { git } from './run.ts';
import { buildRepository, type TestRepository } from './testing.ts';

describe('parsePatch', () => {
  test('reads a plain unified patch of two files', () => {
    const files = parseDiff(
      [
        '--- a/one.ts\t2024-01-01',
        '+++ b/one.ts',
        '@@ -1,2 +1,2 @@ function f() {',
        '--- x',
        '+++ y',
        ' same',
        '--- /dev/null',
        '+++ b/two.ts',
        '@@ -0,0 +1 @@',
        '+new',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
    );
    expect(files).toMatchObject([
      {
        old_path: 'one.ts',
        new_path: 'one.ts',
        hunks: [
          {
            header: 'function f() {',
            lines: [
              { kind: 'delete', text: '-- x' },
              { kind: 'add', text: '++ y' },
              { kind: 'context', text: 'same' },
            ],
          },
        ],
      },
      {
        old_path: null,
        new_path: 'two.ts',
        hunks: [{ new_lines: 1, lines: [{ kind: 'add', text: 'new' }] }],
      },
    ]);
  });

  test('reads changes of mode and pure renames, which have no hunks', () => {
    const files = parseDiff(
      [
        'diff --git a/run.sh b/run.sh',
        'old mode 100644',
        'new mode 100755',
        'diff --git a/old name b/new name',
        'similarity index 100%',
        'rename from old name',
        'rename to new name',
        '',
      ].join('\n'),
    );
    expect(files).toMatchObject([
      { old_path: 'run.sh', new_path: 'run.sh', hunks: [] },
      { old_path: 'old name', new_path: 'new name', hunks: [] },
    ]);
  });

  test('cuts very long lines and says so', () => {
    const [file] = parseDiff(`--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+${'x'.repeat(5000)}\n`);
    expect(file!.truncated).toBe(true);
    expect(file!.hunks[0]!.lines[0]!.text).toHaveLength(2000);
  });

  test.each(['', 'just words', '@@ -1 +1 @@\n-a\n+b\n', '--- a/x\n'])('finds no file in %j', (text) => {
    expect(parseDiff(text)).toEqual([]);
  });
});

test('unquotePath reads the escapes of C', () => {
  expect(unquotePath('plain "name"')).toBe('plain "name"');
  expect(unquotePath('"a\\tb\\n\\"\\\\\\303\\266ö"')).toBe('a\tb\n"\\öö');
});

describe('checkPatch', () => {
  let repo: TestRepository;
  let head: string;
  beforeAll(async () => {
    repo = await buildRepository(async (building) => {
      head = await building.commit({
        files: { 'src/a b.ts': 'one\ntwo\nthree\n', 'gone.ts': 'gone\n', 'other.ts': 'o\n' },
      });
    });
  });
  afterAll(() => repo.remove());

  test('gives the files as they would be: changed, new and renamed; deleted ones are left out', async () => {
    const patch = [
      '--- a/src/a b.ts',
      '+++ b/src/a b.ts',
      // The counts are wrong on purpose.
      '@@ -1,9 +1,7 @@',
      ' one',
      '-two',
      '+TWO',
      ' three',
      'diff --git a/gone.ts b/gone.ts',
      'deleted file mode 100644',
      '--- a/gone.ts',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-gone',
      'diff --git a/new.ts b/new.ts',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new.ts',
      '@@ -0,0 +1 @@',
      '+new',
      '',
    ].join('\n');
    const checked = await checkPatch(repo.path, head, patch);
    expect(checked).toMatchObject({
      applies: true,
      files: [
        { path: 'new.ts', content: 'new\n' },
        { path: 'src/a b.ts', content: 'one\nTWO\nthree\n' },
      ],
    });
    // The same change as git writes it comes back, with its counts right.
    const checkedPatch = checked.applies ? checked.patch : '';
    expect(checkedPatch).toContain('@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n');
    expect(await checkPatch(repo.path, head, checkedPatch)).toEqual(checked);
  });

  test('says why a patch does not apply', async () => {
    const patch = '--- a/other.ts\n+++ b/other.ts\n@@ -1 +1 @@\n-not there\n+x\n';
    expect(await checkPatch(repo.path, head, patch)).toMatchObject({
      applies: false,
      reason: expect.stringContaining('other.ts'),
    });
    expect(await checkPatch(repo.path, head, 'nonsense')).toMatchObject({ applies: false });
    const outside = '--- /dev/null\n+++ b/../../outside\n@@ -0,0 +1 @@\n+x\n';
    expect(await checkPatch(repo.path, head, outside)).toMatchObject({
      applies: false,
      reason: 'It names a path outside the repository.',
    });
  });

  test('writes nothing to the repository', async () => {
    const count = async () =>
      (await git(repo.path, ['count-objects', '-v'], { name: 'test' })).stdout.toString();
    const before = await count();
    const patch = '--- a/other.ts\n+++ b/other.ts\n@@ -1 +1 @@\n-o\n+unseen before\n';
    expect(await checkPatch(repo.path, head, patch)).toMatchObject({ applies: true });
    expect(await count()).toBe(before);
  });
});
