import { expect, test } from 'vitest';
import { failure, mount, setUpComponentBrowser } from './harness.ts';

setUpComponentBrowser();

const PROJECT = { id: 'p', name: 'Alpha', indexed_commit: 'c', role: 'owner' };
const FILE = { path: 'a.ts', content: 'one\ntwo\n', read_only: null, commit: 'c', branch: null };
const READ = 'GET /ide/projects/p/files/a.ts';
const SAVE = 'POST /ide/projects/p/files/a.ts';

test('useEditorSettings stores settings, and ignores values that it does not know', async () => {
  const { page, read } = await mount({}, 'useEditorSettings');
  await expect.poll(() => read('it?.settings.theme')).toBe('dark');
  await read("it.update({ theme: 'page', tabSize: 8 })");
  await expect.poll(() => read('[it.settings.theme, it.settings.tabSize]')).toEqual(['page', 8]);
  await page.evaluate(() => localStorage.setItem('editor-settings', '{"fontSize":"9e9","keys":"ed"}'));
  await read('it.update({ wrap: true })');
  await expect.poll(() => read('it.settings')).toMatchObject({ fontSize: 13, keys: 'default', wrap: true });
});

test('useFailures shows the last failure for five seconds and lists all', async () => {
  const { read } = await mount({}, 'useFailures');
  await expect.poll(() => read('it?.failures.length')).toBe(0);
  await read("it.reportFailure('a.ts', new Error('One'))");
  await read("it.reportFailure(null, new Error('Two'))");
  await expect.poll(() => read('it.banner?.message')).toBe('Two');
  expect(await read('it.failures.length')).toBe(2);
  await expect.poll(() => read('it.banner')).toBe(null);
  await read('it.clear()');
  await expect.poll(() => read('it.failures.length')).toBe(0);
});

test('useWorkspace opens a file in a tab, and closes it', async () => {
  const { read } = await mount({ [READ]: FILE }, 'useEditor', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  await read("void it.workspace.open('a.ts')");
  await expect.poll(() => read('it.workspace.tab?.path')).toBe('a.ts');
  expect(await read('it.workspace.textOf(it.workspace.tab)')).toBe(FILE.content);
  await read("it.workspace.close('a.ts')");
  await expect.poll(() => read('it.workspace.tab')).toBe(null);
});

test('useWorkspace reports a file that cannot be opened', async () => {
  const { read } = await mount({ [READ]: failure(500) }, 'useEditor', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  await read("void it.workspace.open('a.ts')");
  await expect.poll(() => read('it.workspace.failures.length')).toBe(1);
  expect(await read('it.workspace.opening')).toBe(null);
});

const EDIT = `(() => {
  const { workspace } = it;
  const state = workspace.documentOf('a.ts');
  workspace.change('a.ts', state.update({ changes: { from: 0, insert: 'zero\\n' } }).state);
})()`;

test('useEditorTabs marks an edited file and stores its draft', async () => {
  const { page, read } = await mount({ [READ]: FILE }, 'useEditor', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  await read("void it.workspace.open('a.ts')");
  await expect.poll(() => read('it.workspace.tab?.dirty')).toBe(false);
  await read(EDIT);
  await expect.poll(() => read('it.workspace.tab.dirty')).toBe(true);
  const drafts = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')));
  await expect.poll(drafts).toHaveLength(1);
});

test('a file that is only looked at gives its tab to the next, until it is edited', async () => {
  const other = { ...FILE, path: 'b.ts' };
  const replies = { [READ]: FILE, 'GET /ide/projects/p/files/b.ts': other };
  const { read } = await mount(replies, 'useEditor', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  await read("void it.workspace.open('b.ts', { isPreview: true })");
  await expect.poll(() => read('it.workspace.tab?.path')).toBe('b.ts');
  await read("void it.workspace.open('a.ts', { isPreview: true })");
  await expect.poll(() => read('it.workspace.tabs.map(({ path }) => path)')).toEqual(['a.ts']);
  await read(EDIT);
  await expect.poll(() => read('it.workspace.tab.isPreview')).toBe(false);
  await read("void it.workspace.open('b.ts', { isPreview: true })");
  await expect.poll(() => read('it.workspace.tabs.map(({ path }) => path)')).toEqual(['a.ts', 'b.ts']);
  await read('it.workspace.toggleSplit()');
  await expect.poll(() => read('it.workspace.panes')).toEqual(['b.ts', 'b.ts']);
});

test('useSaving saves an edited file', async () => {
  const replies = { [READ]: FILE, [SAVE]: { commit: 'd', branch: 'hindsight/ada' } };
  const { read } = await mount(replies, 'useEditor', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  await read("void it.workspace.open('a.ts')");
  await expect.poll(() => read('it.workspace.tab?.path')).toBe('a.ts');
  await read(EDIT);
  await read("void it.saving.save('a.ts')");
  await expect.poll(() => read('[it.workspace.tab.dirty, it.workspace.tab.base]')).toEqual([false, 'd']);
  expect(await read('it.workspace.branch')).toBe('hindsight/ada');
});

test('useSaving saves a file that is being moved once it is moved', async () => {
  let endMove = () => {};
  const isMoved = new Promise<void>((resolve) => {
    endMove = resolve;
  });
  const replies = {
    [READ]: FILE,
    'GET /ide/projects/p/files/b.ts': { ...FILE, path: 'b.ts', commit: 'm', branch: 'hindsight/ada' },
    'POST /ide/projects/p/moves': async () => {
      await isMoved;
      return { path: 'b.ts', commit: 'm', branch: 'hindsight/ada' };
    },
    'POST /ide/projects/p/files/b.ts': (body: { base_sha: string }) => ({
      commit: body.base_sha === 'm' ? 'd' : 'wrong',
      branch: 'hindsight/ada',
    }),
  };
  const { calls, read } = await mount(replies, 'useEditor', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  await read("void it.workspace.open('a.ts')");
  await expect.poll(() => read('it.workspace.tab?.path')).toBe('a.ts');
  await read(EDIT);
  await read("void it.files.move('a.ts', 'b.ts')");
  await expect.poll(() => read('it.workspace.moves.length')).toBe(1);
  await read("void it.saving.save('a.ts')");
  await expect.poll(() => read("it.saving.isSaving('a.ts')")).toBe(true);
  endMove();
  await expect
    .poll(() => read('[it.workspace.tab.path, it.workspace.tab.dirty, it.workspace.tab.base]'))
    .toEqual(['b.ts', false, 'd']);
  expect(await read('[it.workspace.moves.length, it.saving.conflict]')).toEqual([0, null]);
  expect(calls).not.toContain(SAVE);
});

test('CommitDialog commits a file that is being moved under its new path, and leaves out what was left out', async () => {
  const move = Promise.withResolvers<void>();
  const committed: unknown[] = [];
  const moved = { path: 'new/a.ts', commit: 'm', branch: 'hindsight/ada' };
  const replies = {
    ...{ [READ]: FILE, 'GET /ide/projects/p/files/b.ts': { ...FILE, path: 'b.ts' } },
    'GET /ide/projects/p/files/new/a.ts': { ...FILE, ...moved },
    'GET /ide/projects/p/files/new/b.ts': { ...FILE, ...moved, path: 'new/b.ts' },
    'POST /ide/projects/p/moves': async ({ to }: { to: string }) => {
      await move.promise;
      return { ...moved, path: to };
    },
    'POST /ide/projects/p/commits': ({ files }: { files: { path: string; base_sha: string }[] }) => {
      committed.push(...files.map(({ path, base_sha }) => [path, base_sha]));
      return { commit: 'd', branch: 'hindsight/ada' };
    },
  };
  const { page, read } = await mount(replies, 'useCommitDialog', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  for (const path of ['a.ts', 'b.ts']) {
    await read(`void it.workspace.open('${path}')`);
    await expect.poll(() => read('it.workspace.tab?.path')).toBe(path);
    await read(EDIT.replaceAll('a.ts', path));
  }
  for (const path of ['a.ts', 'b.ts']) await read(`void it.files.move('${path}', 'new/${path}')`);
  await expect.poll(() => read('it.workspace.moves.length')).toBe(2);
  // By keys: without styles the backdrop lies above the dialog.
  await page.getByRole('checkbox', { name: 'b.ts' }).press('Space');
  const submit = page.locator('button[type=submit]');
  await submit.press('Enter');
  await expect.poll(() => submit.getAttribute('aria-busy')).toBe('true');
  expect(committed).toEqual([]);
  move.resolve();
  await expect.poll(() => committed).toEqual([['new/a.ts', 'm']]);
});

test('useSaving shows a conflict with the version of the branch', async () => {
  const conflict = Response.json(
    { error: { code: 'conflict', reason: 'file_changed', message: 'Changed', request_id: 'r' } },
    { status: 409 },
  );
  const changed = { ...FILE, content: 'one\ntwo\nthree\n', commit: 'd' };
  let isChanged = false;
  const save = () => {
    isChanged = true;
    return conflict;
  };
  const replies = { [READ]: () => (isChanged ? changed : FILE), [SAVE]: save };
  const { read } = await mount(replies, 'useEditor', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  await read("void it.workspace.open('a.ts')");
  await expect.poll(() => read('it.workspace.tab?.path')).toBe('a.ts');
  await read("void it.saving.save('a.ts')");
  await expect.poll(() => read('it.saving.conflict?.theirs')).toBe(changed.content);
  await read('it.saving.closeConflict()');
  await expect.poll(() => read('it.saving.conflict')).toBe(null);
});

test('useAnalysis stores the issues of the file', async () => {
  const analysis = {
    ...{ errors: [{ line: 1, message: 'Bad', severity: 'error', source: 'tsc' }], solution: null },
    ...{ checkers: ['tsc'], patch: null },
  };
  const replies = { [READ]: FILE, 'POST /ide/projects/p/debug/ide': analysis };
  const { read } = await mount(replies, 'useEditor', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  await read("void it.workspace.open('a.ts')");
  await expect.poll(() => read('it.workspace.tab?.path')).toBe('a.ts');
  await read("void it.analysis.analyze('')");
  await expect.poll(() => read('it.workspace.tab.analysis?.errors.length')).toBe(1);
  await expect.poll(() => read('it.analysis.step')).toBe(null);
});

test('useFileOperations closes the tab of a deleted file', async () => {
  const replies = { [READ]: FILE, 'DELETE /ide/projects/p/files/a.ts': { commit: 'd', branch: 'b' } };
  const { calls, read } = await mount(replies, 'useEditor', PROJECT);
  await expect.poll(() => read('it?.workspace.tabs.length')).toBe(0);
  await read("void it.workspace.open('a.ts')");
  await expect.poll(() => read('it.workspace.tab?.path')).toBe('a.ts');
  await read("void it.files.remove('a.ts')");
  await expect.poll(() => read('it.workspace.tabs.length')).toBe(0);
  expect(calls).toContain('DELETE /ide/projects/p/files/a.ts');
});

test('a conflict of a save does not end the analysis that runs', async () => {
  let endAnalysis = () => {};
  const isAnalyzed = new Promise<void>((resolve) => {
    endAnalysis = resolve;
  });
  let isChanged = false;
  const refuse = () => {
    isChanged = true;
    const error = { code: 'conflict', reason: 'file_changed', message: 'Changed', request_id: 'r' };
    return Response.json({ error }, { status: 409 });
  };
  const replies = {
    [READ]: () => (isChanged ? { ...FILE, content: 'one\ntwo\nthree\n', commit: 'd' } : FILE),
    [SAVE]: refuse,
    'POST /ide/projects/p/checks': { errors: [], checkers: ['tsc'] },
    'POST /ide/projects/p/debug/ide': async () => {
      await isAnalyzed;
      const errors = [{ line: 1, message: 'Bad', severity: 'error', source: 'tsc' }];
      return { errors, solution: null, checkers: ['tsc'], patch: null };
    },
  };
  const { page } = await mount(replies, 'EditedFile', { project: PROJECT, path: 'a.ts' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Analyze').click();
  await button('Analyzing…').waitFor();
  await page.locator('.cm-content').click();
  await page.keyboard.insertText('zero ');
  await button('Save').click();
  await button('Back to editor').click();
  endAnalysis();
  await page.getByText('Bad').first().waitFor();
});
