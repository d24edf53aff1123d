import { afterAll, beforeAll, expect, test } from 'vitest';
import { analysisRoutes } from '#contract/analysis.ts';
import { createIdeFixture, type IdeFixture } from './testing.ts';

let fixture: IdeFixture;
beforeAll(async () => {
  fixture = await createIdeFixture({ 'a.yaml': 'a: 1\n' });
});
afterAll(() => fixture.close());

const KB = 2 ** 10;

async function check(file_path: string, code: string) {
  const body = { file_path, code, use_reference_pack: false };
  return await fixture.app.call(
    analysisRoutes.analyze,
    { params: { id: fixture.projectId }, body },
    fixture.vic,
  );
}

test('repeated megabytes of arbitrary text neither crash the server nor leak memory', async () => {
  expect((await check('a.yaml', 'a: 1\na: 2\n')).status).toBe(200);
  const before = process.memoryUsage.rss();
  for (let round = 0; round < 10; round++) {
    for (const unit of ['"', '&a ', '!a ', '[', '"a" ']) {
      // Texts within the size limit take seconds each.
      for (const size of round === 0 ? [KB * KB, 128 * KB] : [KB * KB]) {
        const { status, body } = await check('x.yaml', unit.repeat(size / unit.length));
        // A check may exceed its timeout.
        expect(size === 128 * KB ? [200, 503] : [200], `${unit} of ${size}`).toContain(status);
        if (status === 200) expect(body.errors.length).toBeGreaterThan(0);
      }
    }
    const health = await fixture.app.inject({ method: 'GET', url: '/healthz' });
    expect(health.statusCode).toBe(200);
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(256 * KB * KB);
});

test('text that a checker cannot handle is an error with a reason, and the next check works', async () => {
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
