import { expect, test } from 'vitest';
import { buildRepository, type TestFiles } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { investigate } from '../investigate.ts';

const body = (head: string, guard: string) =>
  [
    `export function price(${head}) {`,
    ...Array.from({ length: 12 }, (_, i) => `  const step${i} = item.steps[${i}];`),
    guard,
    '  return item.offer.amount;',
    '}',
    '',
  ].join('\n');

const ERROR =
  "TypeError: Cannot read properties of undefined (reading 'amount')\n    at price (/srv/price.js:15:21)";
const GUARD = '  if (item.offer === undefined) return 0;';
const PLAIN = '  // what it costs';

/** A function whose guard was there from the start or came later, and a last change of `words`. */
async function answerAfter({ path = 'price.js', ...last }: { head: string; guard: string; path?: string }) {
  const first = path === 'price.js' ? GUARD : 'const free = item.offer === undefined;';
  const repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Price an item', files: { [path]: body('item', first) } });
    await repo.commit({
      message: 'Change the price of an offer',
      files: { [path]: body(last.head, last.guard) },
    });
  });
  try {
    const index = await indexRepository(repository.path);
    const now = '2024-03-01T00:00:00.000Z';
    return await investigate(
      { error_message: ERROR.replace('price.js', path) },
      { repo: repository.path, index, sessions: [], now },
    );
  } finally {
    await repository.remove();
  }
}

test('proposes to revert a change near the failing line', async () => {
  const { patch } = await answerAfter({ head: 'item', guard: PLAIN });
  expect(patch).toMatchObject({ kind: 'revert', path: 'price.js' });
  expect(patch?.text).toContain(`+${GUARD}`);
});

test('does not propose to revert a change without effect at run time', async () => {
  const guard = 'const free: boolean = item.offer === undefined;';
  const { suspects, patch } = await answerAfter({ head: 'item', guard, path: 'price.ts' });
  expect(suspects[0]?.hunk?.lines.some(({ text }) => text === guard)).toBe(true);
  expect(patch).toBeNull();
});

test('does not propose to revert a change far from the failing line', async () => {
  const { suspects, patch } = await answerAfter({ head: 'item, shop', guard: GUARD });
  expect(suspects[0]?.path).toBe('price.js');
  expect(patch).toBeNull();
});

/** The patch for an error at `line` of `path` after two commits. */
async function patchAfter(
  last: { message: string; from: TestFiles; to: TestFiles },
  { path, line, error = "TypeError: Cannot read properties of undefined (reading 'then')" }: Failure,
) {
  const repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Queue tasks', files: last.from });
    await repo.commit({ message: last.message, files: last.to });
  });
  try {
    const index = await indexRepository(repository.path);
    const error_message = `${error}\n    at push (/srv/${path}:${line}:9)`;
    const now = '2024-03-01T00:00:00.000Z';
    const found = await investigate({ error_message }, { repo: repository.path, index, sessions: [], now });
    expect(found.suspects[0]?.path).toBe(path);
    return found.patch;
  } finally {
    await repository.remove();
  }
}

interface Failure {
  path: string;
  line: number;
  error?: string;
}

const queue = ({ head = [], use }: { head?: string[]; use: string }) =>
  [
    ...head,
    'const limits = new Map();',
    'exports.push = function push(task) {',
    ...Array.from({ length: 12 }, (_, i) => `  const step${i} = task.steps[${i}];`),
    use,
    '  return started;',
    '};',
    '',
  ].join('\n');
const HEAD = ["const { defer } = require('./defer');"];
const OLD = queue({ head: HEAD, use: '  const started = defer(task).then(task.run);' });
const PLAIN_USE = '  const started = task.begin().then(task.run);';
const NEW = queue({ use: PLAIN_USE });
const DEFER = 'exports.defer = (task) => Promise.resolve(task);\n';
const QUEUE_FAILURE = { path: 'queue.js', line: 15 };

test('a revert takes the import along that its commit removed', async () => {
  const last = {
    message: 'Begin tasks directly',
    from: { 'queue.js': OLD, 'defer.js': DEFER },
    to: { 'queue.js': NEW },
  };
  const patch = await patchAfter(last, QUEUE_FAILURE);
  expect(patch?.text).toContain(`+${HEAD[0]}`);
  expect(patch?.text).toContain('+  const started = defer(task).then(task.run);');
});

test('no patch needs a file that its commit deleted', async () => {
  const last = {
    message: 'Begin tasks directly',
    from: { 'queue.js': OLD, 'defer.js': DEFER },
    to: { 'queue.js': NEW, 'defer.js': null },
  };
  expect(await patchAfter(last, QUEUE_FAILURE)).toBeNull();
});

test('no patch uses a name that a later commit removed', async () => {
  const repository = await buildRepository(async (repo) => {
    const first = queue({ head: HEAD, use: '  const started = defer(task).then(task.run);' });
    await repo.commit({ message: 'Queue tasks', files: { 'queue.js': first, 'defer.js': DEFER } });
    const second = queue({ head: HEAD, use: PLAIN_USE });
    await repo.commit({ message: 'Begin tasks directly', files: { 'queue.js': second } });
    await repo.commit({ message: 'Drop what is unused', files: { 'queue.js': NEW, 'defer.js': null } });
  });
  try {
    const index = await indexRepository(repository.path);
    const error_message =
      "TypeError: Cannot read properties of undefined (reading 'then')\n    at push (/srv/queue.js:15:9)";
    const deps = { repo: repository.path, index, sessions: [], now: '2024-03-01T00:00:00.000Z' };
    const { suspects, patch } = await investigate({ error_message }, deps);
    expect(index.commits.subject(suspects[0]!.commit)).toBe('Begin tasks directly');
    expect(patch).toBeNull();
  } finally {
    await repository.remove();
  }
});

test.each([
  'Fix tasks that begin twice',
  'Security: begin tasks without their own clock',
  'Revert "Defer tasks"\n\nThis reverts commit 0123456789abcdef0123456789abcdef01234567.',
])('does not undo %j', async (message) => {
  const from = { 'queue.js': queue({ use: '  const started = task.defer().then(task.run);' }) };
  const last = { from, to: { 'queue.js': NEW } };
  expect(await patchAfter({ ...last, message: 'Begin tasks directly' }, QUEUE_FAILURE)).not.toBeNull();
  expect(await patchAfter({ ...last, message }, QUEUE_FAILURE)).toBeNull();
});

test('does not undo a change of a statement that raises on purpose', async () => {
  const raise = (words: string) =>
    `  if (limits.has(task.name)) throw new Error(\`Task \${task.name} ${words}\`);`;
  const last = {
    message: 'Say why a task is rejected',
    from: { 'queue.js': queue({ use: raise('was pushed twice') }) },
    to: { 'queue.js': queue({ use: raise('is in the queue already') }) },
  };
  const error = 'Error: Task build is in the queue already';
  expect(await patchAfter(last, { ...QUEUE_FAILURE, error })).toBeNull();
});

test('does not remove a function that the commit added', async () => {
  const from = queue({ use: '  const started = task.defer().then(task.run);' });
  const to = `${queue({ use: '  const started = begin(task).then(task.run);' })}function begin(task) {\n  return task.begin();\n}\n`;
  const last = { message: 'Begin tasks directly', from: { 'queue.js': from }, to: { 'queue.js': to } };
  expect(await patchAfter(last, QUEUE_FAILURE)).toBeNull();
});
