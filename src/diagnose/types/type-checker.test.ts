import { afterAll, expect, test } from 'vitest';
import { TypeService } from './check-types.ts';
import { createTypeChecker, type TypeProject } from './type-checker.ts';

const checker = createTypeChecker();
afterAll(checker.close);

/** A project of these files; contents are named by themselves. */
function project(
  files: Record<string, string>,
  { id = 'p', commit = JSON.stringify(files) } = {},
): TypeProject {
  const entries = Object.entries(files);
  return {
    id,
    commit,
    list: async () => ({ files: entries, isTruncated: false }),
    read: async (oids) => [...oids],
  };
}

const CONFIG = '{ "compilerOptions": { "strict": true } }';
const SHOP = {
  'tsconfig.json': CONFIG,
  'src/price.ts': 'export interface Price { amount: number }\nexport const free: Price = { amount: 0 };\n',
  'src/deep.ts': "export { free } from './price.ts';\n",
};

async function check(
  path: string,
  text: string,
  { files = SHOP as Record<string, string>, unsaved = {}, withFixes = false, userId = 'ada', ...more } = {},
) {
  const options = { signal: new AbortController().signal, userId, ...more };
  const found = await checker.check({ path, text, unsaved, withFixes }, project(files), options);
  return { ...found, list: found.diagnostics.map(({ line, source }) => `${line} ${source.split(' ')[1]}`) };
}

const CART = "import { free } from './deep.ts';\nconst total: string = free.amount;\nexport default total;\n";

test('types are checked with the files that are imported, as they are saved or edited', async () => {
  expect((await check('src/cart.ts', CART)).list).toEqual(['2 2322']);
  const edited = { 'src/price.ts': "export const free = { amount: 'nothing' };\n" };
  expect((await check('src/cart.ts', CART, { unsaved: edited })).list).toEqual([]);
  expect((await check('src/cart.ts', `${CART}free.amout;\n`)).list).toEqual(['2 2322', '4 2551']);
  const another = { ...SHOP, 'src/price.ts': "export const free = { amount: '' };\n" };
  expect((await check('src/cart.ts', CART, { files: another })).list).toEqual([]);
});

test('findings that may come from missing packages are hidden and counted', async () => {
  const text = [
    "import React, { Component } from 'react';",
    "import { is, z } from 'checks';",
    "import fs from 'node:fs';",
    'export class List extends Component<{ a: number }> {',
    '  list() { this.setState({}); fs.readdir("a", (error, names) => names.map((name) => name)); }',
    '}',
    'export interface Props extends React.Props { b: string }',
    'export const read = (props: Props) => props.children;',
    'export const size = (text: string | URL) => (is.string(text) ? text.length : 0);',
    'export const schema: z.Schema<string> = z.string();',
    'setTimeout(() => {}, 1).unref(); process.exit(Buffer.from("a").length);',
    'const mistake: number = "a";',
    'export const view = <p onClick={(event) => event}>{mistake}</p>;',
  ].join('\n');
  const { list, hidden, missingPackages } = await check('src/list.tsx', text);
  expect(list).toEqual(['12 2322']);
  expect(hidden).toBeGreaterThan(0);
  expect(missingPackages).toEqual(['checks', 'react']);
});

test('JavaScript without types gets what is certain: names and files that are not there', async () => {
  const files = { 'lib/a.js': 'export function load() {}\n' };
  const text =
    "import { laod } from './a.js';\nimport gone from './gone.js';\nlaod().x.y;\nlet n = 1; n = 'a';\n";
  expect((await check('lib/b.js', text, { files })).list).toEqual(['1 2305', '2 2307']);
  expect((await check('lib/b.js', `// @ts-check\nlet n = 1; n = 'a';\n`, { files })).list).toEqual([
    '2 2322',
  ]);
});

test('quick fixes change the checked text alone', async () => {
  const { diagnostics } = await check('src/cart.ts', 'export const a = free.amount;\nfree;\n', {
    withFixes: true,
  });
  const fixes = diagnostics.flatMap((one) => one.fixes ?? []);
  for (const { title, edits } of fixes) {
    expect(title).not.toBe('');
    expect(edits.length).toBeGreaterThan(0);
  }
  const spelled = await check('src/cart.ts', `${CART}free.amout;\n`, { withFixes: true });
  expect(spelled.diagnostics[1]?.fixes?.[0]).toEqual({
    title: "Change spelling to 'amount'",
    edits: [{ line: 4, column: 6, end_line: 4, end_column: 11, text: 'amount' }],
  });
});

test('configurations are data: cycles, escapes and plugins change nothing', async () => {
  const files = {
    'tsconfig.json': `{ "extends": ["./b.json", "../../etc/passwd", "/etc/passwd"], "references": [{ "path": "." }], "files": [],
      "compilerOptions": { "plugins": [{ "name": "evil" }], "paths": { "@/*": ["../../../*", "./src/*"] } } }`,
    'b.json':
      '{ "extends": "./tsconfig.json", "compilerOptions": { "strict": true, "noUnusedLocals": true } }',
    'src/price.ts': SHOP['src/price.ts'],
  };
  const text =
    "import { free } from '@/price';\nimport '../../../../etc/passwd';\nconst a: string = free.amount;\n";
  expect((await check('src/cart.ts', text, { files })).list).toEqual(['3 2322', '3 6133']);
});

test.each([
  ['nested types', `type A = ${'Array<'.repeat(20_000)}string${'>'.repeat(20_000)};\n`],
  [
    'endless recursion',
    'type A<T> = { [K in keyof T]: A<A<T>> };\ndeclare const a: A<A<A<string>>>;\nexport const b: A<number> = a;\n',
  ],
  ['a line of a megabyte', `export const a = "${'y'.repeat(2 ** 20 - 40)}";\n`],
  ['a sum of thousands', `export const a = ${'1+'.repeat(5_000)}1;\n`],
  [
    'many unions',
    `type D = ${Array.from({ length: 60 }, (_, i) => `'${i}'`).join('|')};\nexport type E = \`\${D}\${D}\${D}\${D}\`;\n`,
  ],
])('hostile text of %s is answered or stopped, and the next check works', async (_name, text) => {
  const outcome = await check('src/x.ts', text, { userId: 'eve' }).then(
    () => 'checked',
    ({ code }) => code,
  );
  expect(['checked', 'too_large', 'unavailable']).toContain(outcome);
  expect((await check('src/cart.ts', CART)).list).toEqual(['2 2322']);
});

test('a huge configuration is ignored', async () => {
  const paths = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`a${i}/*`, ['./*']]));
  const files = { ...SHOP, 'tsconfig.json': JSON.stringify({ compilerOptions: { paths } }) };
  expect((await check('src/cart.ts', CART, { files })).list).toEqual(['2 2322']);
});

test('a checker that is too slow is stopped and replaced; an abort leaves it', async () => {
  const hasty = createTypeChecker({ workTimeoutMs: 1 });
  const options = { signal: new AbortController().signal, userId: 'ada' };
  const file = { path: 'src/cart.ts', text: CART, unsaved: {}, withFixes: false };
  await expect(hasty.check(file, project(SHOP), options)).rejects.toMatchObject({ reason: 'timed_out' });
  await expect(hasty.check(file, project(SHOP), options)).rejects.toMatchObject({ reason: 'timed_out' });
  await hasty.close();
  const aborted = { signal: AbortSignal.abort(), userId: 'ada' };
  await expect(checker.check(file, project(SHOP), aborted)).rejects.toMatchObject({ reason: 'stopped' });
});

test('a checker whose reply comes when its time is already up is too slow as well', async () => {
  const hasty = createTypeChecker({ workTimeoutMs: 1 });
  const options = { signal: new AbortController().signal, userId: 'ada' };
  const file = { path: 'src/cart.ts', text: CART, unsaved: {}, withFixes: false };
  // The timer and the reply are both due when this thread, which was kept busy, goes on.
  const never = new Int32Array(new SharedArrayBuffer(4));
  const busy = setInterval(() => Atomics.wait(never, 0, 0, 1_000), 1);
  const outcome = hasty.check(file, project(SHOP), options).finally(() => clearInterval(busy));
  await expect(outcome).rejects.toMatchObject({ reason: 'timed_out' });
  await hasty.close();
});

test('a prepared project has a process that knows its files, and is prepared once', async () => {
  const prepared = createTypeChecker();
  const options = { signal: new AbortController().signal, userId: 'ada' };
  let lists = 0;
  const counting = (files: Record<string, string>): TypeProject => {
    const { list, ...rest } = project(files, { id: JSON.stringify(Object.keys(files)) });
    const counted: TypeProject['list'] = (signal) => {
      lists += 1;
      return list(signal);
    };
    return { ...rest, list: counted };
  };
  const shop = counting(SHOP);
  await prepared.prepare(shop, options);
  const before = lists;
  await prepared.prepare(shop, options);
  const file = { path: 'src/cart.ts', text: CART, unsaved: {}, withFixes: false };
  expect((await prepared.check(file, shop, options)).diagnostics).toHaveLength(1);
  expect(lists).toBe(before);
  // A project without code that has types is listed, and no more.
  await prepared.prepare(counting({ 'main.py': 'pass\n' }), options);
  expect(lists).toBe(before + 1);
  await prepared.close();
});

test('projects have processes of their own, and users take turns', async () => {
  const file = { path: 'src/cart.ts', text: CART, unsaved: {}, withFixes: false };
  const options = (userId: string) => ({ signal: new AbortController().signal, userId });
  const checks = ['a', 'b', 'c', 'a'].map((id, at) =>
    checker.check(file, project(SHOP, { id }), options(at % 2 ? 'ada' : 'bea')),
  );
  for (const { diagnostics } of await Promise.all(checks)) expect(diagnostics).toHaveLength(1);
});

test('a check of the changes finds what was typed, keeps the findings of other lines and misses none of the next check', async () => {
  const files = { 'tsconfig.json': CONFIG };
  const functions = (mistake: string, added = '') =>
    [
      ...['export function first(): number {', '  return 1;', '}', added],
      ...['export function second(): string {', `  ${mistake}`, '  return 2;', '}'],
      ...['export function third(): string {', '  return 3;', '}', ''],
    ].join('\n');
  const options = { signal: new AbortController().signal, userId: 'ada' };
  const find = async (text: string, onlyChanges: boolean) => {
    const file = { path: 'src/parts.ts', text, unsaved: {}, withFixes: false, onlyChanges };
    const { diagnostics, isPartial = false } = await checker.check(file, project(files), options);
    return { isPartial, lines: diagnostics.map(({ line }) => line).toSorted((a, b) => a - b) };
  };
  // Without an earlier check, the whole file is checked.
  expect(await find(functions(''), true)).toEqual({ isPartial: false, lines: [7, 10] });
  const broken = functions('const n: number = "";');
  expect(await find(broken, true)).toEqual({ isPartial: true, lines: [6, 7, 10] });
  expect(await find(broken, false)).toEqual({ isPartial: false, lines: [6, 7, 10] });
  const moved = functions('const n: number = "";', 'export const wrong: string = 4;\n');
  expect(await find(moved, true)).toEqual({ isPartial: true, lines: [4, 7, 8, 11] });
  expect(await find(functions('', 'export const wrong: string = 4;\n'), true)).toEqual({
    isPartial: true,
    lines: [4, 8, 11],
  });
  expect(await find(functions(''), false)).toEqual({ isPartial: false, lines: [7, 10] });
});

test('a text is checked again when a file that it imports arrives', () => {
  const service = new TypeService();
  const task = {
    ...{ path: 'src/cart.ts', text: CART, unsaved: {}, withFixes: false, isTruncated: false },
    isLastStep: true,
  };
  const linesOf = (reply: ReturnType<TypeService['check']>) =>
    'diagnostics' in reply && reply.diagnostics.map(({ line }) => line);
  const files = Object.entries(SHOP);
  expect(linesOf(service.check({ ...task, files, texts: { 'tsconfig.json': CONFIG } }))).not.toContain(2);
  expect(linesOf(service.check({ ...task, files: null, texts: SHOP }))).toContain(2);
});
