import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startEgress } from '#egress/proxy.ts';
import { fetchUpstream } from './fetch.ts';
import { importRepository } from './import.ts';
import { buildRepository, serveRepositories } from './testing.ts';
import { gitChildren, serveEndlessRefs } from './testing-remotes.ts';

type MinRate = NonNullable<Parameters<typeof startEgress>[0]['minRate']>;

const LIMITS = { maxRepoMb: 100, maxEntries: 1000, timeoutS: 60 };

const folder = mkdtempSync(join(tmpdir(), 'hindsight-slow-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const fresh = () => join(mkdtempSync(join(folder, 'project-')), 'repo.git');

/** The error of a clone from a host, as far as it matters. */
async function failureOf(
  url: string,
  { limits = LIMITS, minRate }: { limits?: typeof LIMITS; minRate?: MinRate } = {},
) {
  const egress = await startEgress({ allowedPrivateHosts: [new URL(url).host], ...(minRate && { minRate }) });
  try {
    await importRepository({ url, egress, limits, into: fresh() });
    return null;
  } catch (error) {
    const { code, reason, message } = error as { code: string; reason: string; message: string };
    return { code, reason, message };
  } finally {
    await egress.close();
  }
}

test('a list of branches that does not end is cut off by its size', async () => {
  const server = await serveEndlessRefs({ bytesPerS: 40 * 2 ** 20 });
  const failure = await failureOf(`${server.url}/a.git`);
  expect(failure).toMatchObject({ code: 'too_large', reason: 'too_large' });
  expect(failure?.message).toContain('10 MB');
  expect(gitChildren(server.host)).toEqual([]);
  await server.close();
});

test('the whole conversation has one deadline', async () => {
  const server = await serveEndlessRefs({ bytesPerS: 2048 });
  const began = performance.now();
  const failure = await failureOf(`${server.url}/a.git`, { limits: { ...LIMITS, timeoutS: 2 } });
  expect(failure).toMatchObject({ reason: 'timed_out' });
  expect(performance.now() - began).toBeLessThan(50_000);
  await server.close();
});

test('a pack that comes a few bytes at a time is broken off in words, and an honest one is not', async () => {
  const repository = await buildRepository(async (building) => {
    await building.commit({ files: { 'a.ts': 'x\n' } });
  });
  let drips = true;
  let requestCount = 0;
  const server = await serveRepositories(repository.folder, {
    answer: (request, reply) => {
      if (!drips || request.method !== 'POST') return false;
      // In protocol 2 the first two ask for the refs, and the third for the pack.
      requestCount += 1;
      if (requestCount < 3) return false;
      reply.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      reply.write('000dpackfile\n');
      const timer = setInterval(() => reply.write('000d\u0002slow ..\n'), 20);
      reply.once('close', () => clearInterval(timer));
      return true;
    },
  });
  const minRate = { bytesPerS: 10 * 1024, afterS: 2 };
  const url = `${server.url}/${repository.name}`;
  expect(await failureOf(url, { minRate })).toMatchObject({
    code: 'unavailable',
    reason: 'too_slow',
    message: expect.stringContaining('less than 10 KB per second'),
  });
  drips = false;
  expect(await failureOf(url, { minRate })).toBeNull();
  await server.close();
  await repository.remove();
});

test('what is here already counts towards the size of a repository that is rewritten', async () => {
  const noise = (seed: number) => {
    const bytes = Buffer.alloc(700_000);
    for (let index = 0, state = seed; index < bytes.length; index++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      bytes[index] = state >>> 24;
    }
    return bytes;
  };
  const repository = await buildRepository(async (building) => {
    await building.commit({ files: { 'a.bin': noise(1) } });
  });
  const server = await serveRepositories(repository.folder);
  const egress = await startEgress({ allowedPrivateHosts: [server.host] });
  const into = fresh();
  const options = { url: `${server.url}/${repository.name}`, egress, limits: { ...LIMITS, maxRepoMb: 2 } };
  await importRepository({ ...options, into });
  let failure: { reason: string } | null = null;
  for (let seed = 2; seed < 6 && failure === null; seed++) {
    await repository.commit({ files: { 'a.bin': noise(seed) } });
    failure = await fetchUpstream({ ...options, repo: into }).then(
      () => null,
      (error) => error,
    );
  }
  expect(failure).toMatchObject({ code: 'too_large' });
  await Promise.all([egress.close(), server.close(), repository.remove()]);
});
