import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('a Node without iterator helpers gets the same', () => {
  const script = `
    for (const name of Object.getOwnPropertyNames(Iterator.prototype)) if (name !== 'constructor') delete Iterator.prototype[name];
    await import(${JSON.stringify(new URL('./node-20.ts', import.meta.url).href)});
    const entries = () => new Map([['a', 1], ['b', 2]]).entries();
    console.log(JSON.stringify([
      entries().find(([key]) => key === 'b'),
      entries().some(([, value]) => value === 2),
      entries().every(([, value]) => value > 0),
      entries().reduce((sum, [, value]) => sum + value, 0),
      [...entries().map(([key]) => key)],
      entries().filter(([, value]) => value > 1).toArray(),
    ]));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual([['b', 2], true, true, 3, ['a', 'b'], [['b', 2]]]);
});
