import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Family, type Input, LeftOut } from '../family.ts';
import type { World } from '../world.ts';

/*
 * The database ends under load. What must hold: 503 in words meanwhile, never 500, nothing acknowledged is lost, and it
 * works again by itself.
 */

function postmaster({ server }: World): number {
  try {
    return Number(readFileSync(join(server.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    throw new LeftOut('there is no embedded PostgreSQL');
  }
}

/** Saves one file after the other until stopped; returns the acknowledged paths. */
async function keepSaving(world: World, tag: string, until: () => boolean): Promise<string[]> {
  const saved: string[] = [];
  for (let index = 0; !until(); index++) {
    const path = `src/${tag}-${index}.js`;
    const reply = await world.send('editor', {
      ...{ method: 'POST', path: `/api/ide/projects/${world.projectId}/files/${path}` },
      body: { content: `// ${index}\n` },
    });
    if (reply.status === 200) saved.push(path);
    else await sleep(20);
  }
  return saved;
}

const kills: Input[] = (['SIGKILL', 'SIGQUIT'] as const).map((signal, index) => ({
  name: `${signal} for the database under four savers`,
  act: async (world) => {
    const pid = postmaster(world);
    const end = Date.now() + 9000;
    const savers = Array.from({ length: 4 }, (_, saver) =>
      keepSaving(world, `k${index}${saver}`, () => Date.now() > end),
    );
    await sleep(1500);
    process.kill(pid, signal);
    const saved = (await Promise.all(savers)).flat();
    let isReady = false;
    for (let round = 0; round < 100 && !isReady; round++) {
      isReady = (await world.send('visitor', { path: '/readyz' })).status === 200;
      if (!isReady) await sleep(100);
    }
    if (!isReady) return 'was not ready again after 10 s';
    const lost: string[] = [];
    for (const path of saved.slice(-20)) {
      const reply = await world.send('editor', {
        path: `/api/ide/projects/${world.projectId}/files/${path}`,
      });
      if (reply.status !== 200) lost.push(path);
    }
    return lost.length === 0 ? null : `${lost.length} acknowledged saves are lost`;
  },
  slowestMs: 10_000,
}));

export const database: Family = { name: 'database', modes: ['default'], probe: 'off', inputs: kills };
