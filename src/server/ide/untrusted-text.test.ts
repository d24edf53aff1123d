import { afterAll, beforeAll, expect, test } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { createIdeFixture, type IdeFixture } from './testing.ts';

let world: IdeFixture;
beforeAll(async () => {
  world = await createIdeFixture({ 'a.yaml': 'a: 1\n' });
});
afterAll(() => world.close());

const KB = 2 ** 10;

async function check(file_path: string, code: string) {
  const body = { file_path, code, use_reference_pack: false };
  return await world.app.call(ideRoutes.analyze, { params: { id: world.projectId }, body }, world.vic);
}

test('a megabyte of any text, again and again, neither ends the server nor grows it', async () => {
  expect((await check('a.yaml', 'a: 1\na: 2\n')).status).toBe(200);
  const before = process.memoryUsage.rss();
  for (let round = 0; round < 10; round++) {
    for (const unit of ['"', '&a ', '!a ', '[', '"a" ']) {
      // What is small enough to be checked takes seconds each time.
      for (const size of round === 0 ? [KB * KB, 128 * KB] : [KB * KB]) {
        const { status, body } = await check('x.yaml', unit.repeat(size / unit.length));
        // What is checked at all may take longer than is allowed.
        expect(size === 128 * KB ? [200, 503] : [200], `${unit} of ${size}`).toContain(status);
        if (status === 200) expect(body.errors.length).toBeGreaterThan(0);
      }
    }
    const health = await world.app.inject({ method: 'GET', url: '/healthz' });
    expect(health.statusCode).toBe(200);
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(256 * KB * KB);
});

test('text that a checker can’t take is an error with a reason, and the next is checked', async () => {
  for (const [path, unit] of [
    ['x.tsx', '['],
    ['x.py', '('],
    ['x.tsx', 'a?'],
    ['x.json', '"'],
  ] as const) {
    const { status, body } = await check(path, unit.repeat((200 * KB) / unit.length));
    expect([200, 413, 503]).toContain(status);
    expect(JSON.stringify(body)).not.toMatch(/heap|Worker|RuntimeError|unreachable/);
  }
  const { body } = await check('a.py', 'import os\n');
  expect(body.errors[0]).toMatchObject({ source: 'ruff F401' });
});
