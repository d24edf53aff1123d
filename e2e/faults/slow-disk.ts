import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { connectRepository } from '../../bench/editor-server.ts';
import { type Fault, seconds, slowest, trialsOf } from './fault.ts';
import { buildFaultRepository, prepareProgram, until } from './program.ts';

const DISK_MB = 512;
/** Writes a second that the slow disk does: one `fsync` takes about 0.2 s then, and a save about thirty writes. */
const WRITES_PER_SECOND = 50;
const SAVES = 5;
const [READ_LIMIT_S, RECOVERY_LIMIT_S] = [3, 5];
const THROTTLE = '/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device';

/** D2: the disk of all data becomes slow while people save. The kernel throttles a disk of its own. */
export const slowDiskFault: Fault = {
  id: 'D2',
  name: `slow disk: ${WRITES_PER_SECOND} writes a second`,
  target: `reads ≤ ${READ_LIMIT_S} s, saves are slow and not refused, normal ≤ ${RECOVERY_LIMIT_S} s after its return, nothing acknowledged lost`,
  async run(options) {
    const program = await prepareProgram();
    const trials = trialsOf(options, 5);
    const times = { read: [] as number[], save: [] as number[], recovery: [] as number[] };
    let losses = 0;
    const disk = await mountDisk(join(program.repositories, 'disk.img'), program.dataDir);
    try {
      const path = await buildFaultRepository(program, 50);
      await program.start();
      const ada = await program.signUp();
      const project = await connectRepository(ada, 'disk', path);
      const timed = async (list: number[], method: string, file: string, body?: object) => {
        const started = performance.now();
        const reply = await ada.call(method, file, body);
        list.push(performance.now() - started);
        return reply;
      };
      const fileOf = (name: string) => `/ide/projects/${project}/files/${name}.txt`;
      for (let trial = 0; trial < trials; trial++) {
        await ada.call('POST', fileOf(`saved-${trial}`), { content: 'before' });
        await disk.limit(WRITES_PER_SECOND);
        const statuses: number[] = [];
        const acknowledged: number[] = [];
        for (let turn = 0; turn < SAVES; turn++) {
          const [save, read, list] = await Promise.all([
            timed(times.save, 'POST', fileOf(`slow-${trial}-${turn}`), { content: String(turn) }),
            timed(times.read, 'GET', fileOf(`saved-${trial}`)),
            timed(times.read, 'GET', '/projects'),
          ]);
          if (save.status === 200) acknowledged.push(turn);
          statuses.push(save.status, read.status, list.status);
        }
        await disk.limit(0);
        const started = performance.now();
        const isNormal = async () => {
          const asked = performance.now();
          const { status } = await ada.call('POST', fileOf(`after-${trial}`), { content: String(asked) });
          return status === 200 && performance.now() - asked < 1_000;
        };
        await until(isNormal, 60_000, 'Saving did not become fast again');
        times.recovery.push(performance.now() - started);
        let kept = 0;
        for (const turn of acknowledged) {
          const { body } = await ada.call('GET', fileOf(`slow-${trial}-${turn}`));
          if (body?.content === String(turn)) kept += 1;
        }
        const isLost = statuses.some((status) => status !== 200) || kept < acknowledged.length;
        if (isLost || program.child.exitCode !== null) losses += 1;
        options.report(
          `D2: statuses ${[...new Set(statuses)].join(', ')}, ${kept} of ${acknowledged.length} kept`,
        );
      }
    } finally {
      await disk.limit(0);
      await program.stop();
      disk.unmount();
      await program.remove();
    }
    const [read, save, recovery] = [times.read, times.save, times.recovery].map(slowest);
    return {
      trials,
      losses,
      figures: `reads ≤ ${seconds(read!)}, saves ≤ ${seconds(save!)}, saved fast again ≤ ${seconds(recovery!)}`,
      isMet: losses === 0 && read! <= READ_LIMIT_S && recovery! <= RECOVERY_LIMIT_S,
    };
  },
};

/** Mounts a file as a disk of its own, whose writes a second can be limited. */
async function mountDisk(image: string, folder: string) {
  if (!existsSync(THROTTLE) || process.getuid?.() !== 0)
    throw new Error('This fault needs root and the controller blkio of cgroup v1, to slow a disk down.');
  await writeFile(image, '');
  run('truncate', '--size', `${DISK_MB}M`, image);
  run('mkfs.ext4', '-q', image);
  await mkdir(folder, { recursive: true });
  const device = run('losetup', '--find', '--show', image).trim();
  run('mount', device, folder);
  run('rmdir', join(folder, 'lost+found'));
  const id = (await readFile(`/sys/block/${basename(device)}/dev`, 'utf8')).trim();
  return {
    limit: async (perSecond: number) => await writeFile(THROTTLE, `${id} ${perSecond}`),
    unmount() {
      spawnSync('umount', ['-l', folder]);
      spawnSync('losetup', ['--detach', device]);
    },
  };
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout;
}
