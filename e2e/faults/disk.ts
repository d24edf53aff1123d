import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectRepository } from '../../bench/editor-server.ts';
import { type Fault, seconds, slowest, trialsOf } from './fault.ts';
import { buildFaultRepository, prepareProgram, until } from './program.ts';

const RECOVERY_LIMIT_S = 15;

/** D1: the disk of repositories and indexes becomes read-only while people save, as after an error of a file system. */
export const readOnlyDiskFault: Fault = {
  id: 'D1',
  name: 'disk becomes read-only',
  target: `reads go on, saves answer 503, saved again ≤ ${RECOVERY_LIMIT_S} s, nothing acknowledged lost`,
  async run(options) {
    const program = await prepareProgram();
    const disk = join(program.dataDir, 'projects');
    await mkdir(disk, { recursive: true });
    const mount = (...args: string[]) => spawnSync('mount', [...args, disk]).status === 0;
    const recoveries: number[] = [];
    const trials = trialsOf(options, 10);
    let losses = 0;
    try {
      if (!mount('-t', 'tmpfs', '-o', 'size=200m', 'tmpfs'))
        throw new Error('This fault needs root, to mount a disk.');
      const path = await buildFaultRepository(program, 50);
      await program.start();
      const ada = await program.signUp();
      const project = await connectRepository(ada, 'disk', path);
      const file = `/ide/projects/${project}/files/saved.txt`;
      const save = async (content: string) => (await ada.call('POST', file, { content })).status;
      for (let trial = 0; trial < trials; trial++) {
        const isSaved = (await save(`before ${trial}`)) === 200;
        mount('-o', 'remount,ro');
        const refused = await save(`refused ${trial}`);
        const read = await ada.call('GET', file);
        const list = await ada.call('GET', '/projects');
        mount('-o', 'remount,rw');
        const started = performance.now();
        await until(async () => (await save(`after ${trial}`)) === 200, 60_000, 'Nothing could be saved');
        recoveries.push(performance.now() - started);
        const kept = read.body?.content === `before ${trial}` && list.status === 200;
        const isLost = !isSaved || !kept || refused !== 503 || program.child.exitCode !== null;
        if (isLost) losses += 1;
        options.report(`D1: refused with ${refused}, reads ${read.status}, ${list.status}`);
      }
    } finally {
      spawnSync('umount', ['-l', disk]);
      await program.remove();
    }
    const recovery = slowest(recoveries);
    return {
      trials,
      losses,
      figures: `saved again ≤ ${seconds(recovery)}`,
      isMet: losses === 0 && recovery <= RECOVERY_LIMIT_S,
    };
  },
};
