import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { countExecutedLines } from './count-lines.ts';
import { type ExecutedLines, readRecording } from './read-lines.ts';
import { prepareRecording, recordingCommand } from './record-lines.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hindsight-lines-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const PYTHON = '/usr/bin/python3';
const GO = '/usr/bin/go';

/** Runs a command in a folder with these files, and reads what it recorded. */
async function record(name: string, files: Record<string, string>, command: string): Promise<ExecutedLines> {
  const folder = join(root, name);
  const lines = join(root, `${name}-lines`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await prepareRecording(lines);
  const { status, stderr } = spawnSync('sh', ['-c', recordingCommand(command, lines)], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: root, GO111MODULE: 'auto' },
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('boom')]);
  return await readRecording(lines, {
    root: folder,
    readSource: (path) => readFile(join(folder, path), 'utf8'),
  });
}

const listed = (lines: ReadonlySet<number> | undefined) => [...(lines ?? [])].sort((a, b) => a - b);

test('Node.js names the lines of functions and blocks that ran, of the module nothing', async () => {
  const files = {
    'node_modules/dep/index.js': 'module.exports = () => 1;\n',
    'src/total.js': `const dep = require('dep');

function unused() {
  return dep();
}

function total(prices) {
  if (prices.length > 3) {
    return 0;
  }
  throw new Error('boom' + dep());
}
module.exports = { total, unused };
`,
    'test.js': "require('./src/total.js').total([1]);\n",
  };
  const executed = await record('node', files, 'node test.js');
  expect(listed(executed.get('src/total.js'))).toEqual([7, 8, 10, 11, 12]);
  expect([...executed.keys()].filter((path) => path.includes('dep'))).toEqual([]);
});

test.skipIf(!existsSync(PYTHON))('Python names the lines of functions, of imports nothing', async () => {
  const files = {
    'shop/__init__.py': '',
    'shop/total.py':
      'class Cart:\n    size = 3\n\n    def add(self):\n        raise ValueError("boom")\n\n    def sub(self):\n        pass\n',
    'check.py': 'from shop.total import Cart\nimport json\njson.dumps(1)\nCart().add()\n',
  };
  const executed = await record('python', files, `${PYTHON} check.py`);
  expect([...executed].map(([path, lines]) => [path, listed(lines)])).toEqual([['shop/total.py', [5]]]);
});

test.skipIf(!existsSync(GO))('Go names the blocks that ran', { timeout: 60_000 }, async () => {
  const files = {
    'go.mod': 'module example.org/shop\n\ngo 1.16\n',
    'cart.go': 'package shop\n\nfunc Total(n int) int {\n\tif n > 3 {\n\t\treturn 0\n\t}\n\treturn n\n}\n',
    'cart_test.go':
      'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(1) != 2 {\n\t\tprintln("boom")\n\t\tt.Fatal("boom")\n\t}\n}\n',
  };
  const executed = await record('golang', files, 'go test . 2>&1 | cat >&2; exit 1');
  expect(listed(executed.get('example.org/shop/cart.go'))).toEqual([3, 4, 7]);
});

test('a hostile recording is left aside', async () => {
  const lines = join(root, 'hostile');
  await prepareRecording(lines);
  const secret = join(root, 'secret.json');
  writeFileSync(secret, '{"/checkout/secret.py": [1]}');
  symlinkSync(secret, join(lines, 'python-1.json'));
  execFileSync('mkfifo', [join(lines, 'python-2.json'), join(lines, 'v8', 'fifo.json')]);
  writeFileSync(
    join(lines, 'python-3.json'),
    '{"/checkout/a.py": [1, "2", null, 1e99], "/etc/passwd": [1], "/checkout/b.py": 7}',
  );
  writeFileSync(join(lines, 'python-4.json'), '[[[['.repeat(1000));
  writeFileSync(join(lines, 'go.out'), `mode: set\nshop/a.go:1.1,9999999.1 1 1\n${'x'.repeat(100_000)}\n`);
  const script = {
    scriptId: '1',
    url: 'file:///checkout/c.js',
    functions: [{ ranges: [] }, null, { ranges: [null] }, { ranges: 1 }],
  };
  writeFileSync(
    join(lines, 'v8', 'a.json'),
    JSON.stringify({ result: [script, { ...script, functions: 3 }] }),
  );
  const executed = await readRecording(lines, { root: '/checkout', readSource: async () => 'a\nb\n' });
  expect([...executed.keys()].sort()).toEqual(['a.py', 'shop/a.go']);
  expect(listed(executed.get('a.py'))).toEqual([1]);
  expect(executed.get('shop/a.go')!.size).toBeLessThanOrEqual(10_001);
});

test('executed lines count for the commits that wrote them, those of tests for none', async () => {
  const commits: string[] = [];
  const repository = await buildRepository(async (repo) => {
    const change = async (files: Record<string, string>) => void commits.push(await repo.commit({ files }));
    await change({ 'src/cart.go': 'one\ntwo\nthree\n', 'src/cart_test.go': 'test\n' });
    await change({ 'src/cart.go': 'one\nTWO\nthree\n' });
    await change({ 'src/other.go': 'other\n' });
  });
  const executed: ExecutedLines = new Map([
    ['example.org/shop/src/cart.go', new Set([1, 2])],
    ['src/cart_test.go', new Set([1])],
    ['src/absent.go', new Set([1])],
  ]);
  const options = { commit: commits[2]!, signal: new AbortController().signal };
  const counts = await countExecutedLines(repository.path, executed, options);
  expect(counts).toEqual({ [commits[0]!]: 1, [commits[1]!]: 1 });
  await repository.remove();
});
