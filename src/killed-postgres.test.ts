import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { makeDataDir, signUp, startProgram } from './testing-program.ts';

const SAVERS = 8;
const KILLS = 4;

test('when PostgreSQL is killed during concurrent saves, failures are reported and no acknowledged save is lost', async () => {
  const repository = await buildRepository(async (repo) => {
    await repo.commit({ files: { 'a.ts': 'export const a = 1;\n' } });
  });
  onTestFinished(() => repository.remove());
  const dataDir = await makeDataDir();
  const program = await startProgram({ dataDir, settings: { GIT_LOCAL_ROOTS: repository.folder } });
  await program.printed(/ready at/);
  const ada = await signUp(program);
  const git_url = `file://${repository.path}`;
  const { id } = (await ada.call('POST', '/projects', { name: 'one', git_url })).body;
  await expect.poll(async () => (await ada.call('GET', `/projects/${id}`)).body.status).toBe('ready');

  let isOver = false;
  const statuses = new Map<number, number>();
  const acknowledged = new Map<number, number>();
  const keep = (status: number) => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const save = async (saver: number) => {
    for (let number = 1; !isOver; number++) {
      const path = `/ide/projects/${id}/files/saver-${saver}.txt`;
      const { status } = await ada.call('POST', path, { content: `${number}\n`, branch: `b${saver}` });
      keep(status);
      if (status === 200) acknowledged.set(saver, number);
    }
  };
  const read = async () => {
    while (!isOver) keep((await ada.call('GET', '/projects')).status);
  };
  for (let saver = 0; saver < SAVERS; saver++) {
    const path = `/ide/projects/${id}/files/saver-${saver}.txt`;
    expect((await ada.call('POST', path, { content: '0\n', branch: `b${saver}` })).status).toBe(200);
  }
  const working = [...Array.from({ length: SAVERS }, (_, saver) => save(saver)), read(), read()];
  const ready = async () => {
    const file = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
    return /\nready/.test(file) ? Number(file.split('\n')[0]) : 0;
  };
  for (let kill = 0, killed = 0; kill < KILLS; kill++) {
    const next = await vi.waitFor(
      async () => {
        const pid = await ready();
        expect([0, killed]).not.toContain(pid);
        return pid;
      },
      { timeout: 60_000 },
    );
    await sleep(1_000);
    killed = next;
    process.kill(killed, 'SIGKILL');
  }
  await expect.poll(async () => (await ada.call('GET', '/projects')).status, { interval: 200 }).toBe(200);
  await sleep(1_000);
  isOver = true;
  await Promise.all(working);

  expect([...statuses.keys()].filter((status) => ![200, 503].includes(status))).toEqual([]);
  expect(statuses.get(503)).toBeGreaterThan(0);
  expect(acknowledged.size).toBeGreaterThan(0);
  for (const [saver, number] of acknowledged) {
    const path = `/ide/projects/${id}/files/saver-${saver}.txt?ref=b${saver}`;
    const { status, body } = await ada.call('GET', path);
    expect(status).toBe(200);
    expect(Number(body.content)).toBeGreaterThanOrEqual(number);
  }
});
