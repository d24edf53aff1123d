import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { parseQuery } from '../lexical/parse-query.ts';
import type { FrameHint } from '../signals/signal.ts';
import { parseFunctionHeader } from './function-headers.ts';
import { listFunctions } from './list-functions.ts';
import { rankFiles } from './rank-files.ts';
import { rankFunctions } from './rank-functions.ts';

/** Small functions that share passages with their neighbors, and constants and classes, which are not functions. */
const FILES: Record<string, { text: string; functions: string[] }> = {
  'lib/boat.py': {
    text: `LIMIT = 3
NAMES = ['a']

def sail(wind):
    return wind

async def moor():
    pass

class Boat:
    name = 'x'

    @property
    def depth(self):
        return 1

    def drift(self):
        def inner():
            pass
        return inner
`,
    functions: ['sail', 'moor', 'Boat.depth', 'Boat.drift'],
  },
  'lib/kite.js': {
    text: `const LIMIT = 3
const tail = (n) => n
function Kite (line) {
  this.line = line
}
Kite.prototype.pull = function (force) {
  return force
}
module.exports.fold = function () { return 1 }
class Spool {
  wind (turns) { return turns }
  get size () { return 1 }
}
`,
    functions: ['tail', 'Kite', 'Kite.pull', 'fold', 'Spool.wind', 'Spool.size'],
  },
  'lib/mill.go': {
    text: `package mill

const limit = 3

type Mill struct{}

func (m *Mill) Grind(n int) int { return n }

func New() *Mill {
	return &Mill{}
}
`,
    functions: ['Mill.Grind', 'New'],
  },
  'lib/Well.java': {
    text: `class Well {
  static final int LIMIT = 3;
  Well(int depth) {
  }
  public int depth() { return 1; }
  @Override public String toString() {
    return "";
  }
}
`,
    functions: ['Well.Well', 'Well.depth', 'Well.toString'],
  },
  'lib/lamp.rs': {
    text: `const LIMIT: u32 = 3;
pub struct Lamp;
impl Lamp {
    pub(crate) fn new() -> Self {
        Lamp
    }
    fn lit(&self) -> bool { true }
}
`,
    functions: ['Lamp.new', 'Lamp.lit'],
  },
  'lib/oven.c': {
    text: `static int limit = 3;
static int heat(int n)
{
	return n;
}
int *bake(void)
{
	return 0;
}
`,
    functions: ['heat', 'bake'],
  },
};

let repo: TestRepository;
let index: RepositoryIndex;
const lines = async (path: string) => FILES[path]?.text.split('\n') ?? null;

beforeAll(async () => {
  const files = Object.fromEntries(Object.entries(FILES).map(([path, { text }]) => [path, text]));
  repo = await buildRepository(async (repository) => {
    await repository.commit({ message: 'Begin', files });
  });
  index = await indexRepository(repo.path);
});

afterAll(() => repo.remove());

test.each(Object.entries(FILES))(
  'lists all functions of %s, small ones too, and nothing else',
  (path, { text, functions }) => {
    const found = listFunctions(index.code!, index.code!.fileNumber(path), text.split('\n'));
    expect(found.map(({ symbol }) => symbol)).toEqual(functions);
  },
);

test('a generated row is skipped', () => {
  expect(parseFunctionHeader('function short() {', 'javascript', false)).toMatchObject({ name: 'short' });
  expect(parseFunctionHeader(`function long(${'a,'.repeat(300)}) {`, 'javascript', false)).toBeNull();
});

async function best(text: string, frames: FrameHint[] = []): Promise<string> {
  const query = parseQuery(text);
  const files = rankFiles(index, query, { frames, limit: 10 });
  const ranked = await rankFunctions(index, query, files, { limit: 3, lines, frames });
  return `${index.code!.filePath(ranked[0]!.file)}:${ranked[0]!.symbol}:${ranked[0]!.start}`;
}

test('the function named in a text ranks first', async () => {
  expect(await best('The boat must drift')).toBe('lib/boat.py:Boat.drift:17');
  expect(await best('kite: `Kite.pull()` forgets the force')).toBe('lib/kite.js:Kite.pull:6');
});

test('the function of a stack frame ranks first', async () => {
  const frame = { path: '/app/lib/boat.py', line: 8, symbol: 'moor' };
  expect(await best('it fails in the middle of the night', [frame])).toBe('lib/boat.py:moor:7');
});

test('scores left by another query are ignored', async () => {
  const query = parseQuery('The boat must drift');
  const files = rankFiles(index, query, { limit: 10 });
  const ranking = rankFunctions(index, query, files, { limit: 3, lines });
  rankFiles(index, parseQuery('sail the wind'), { limit: 10 });
  expect((await ranking)[0]!.symbol).toBe('Boat.drift');
});

test('unreadable files have no functions', async () => {
  const query = parseQuery('boat');
  const files = rankFiles(index, query, { limit: 10 });
  expect(await rankFunctions(index, query, files, { limit: 3, lines: async () => null })).toEqual([]);
});
