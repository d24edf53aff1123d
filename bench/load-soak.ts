import type { Cluster } from './load-cluster.ts';
import type { LoadKind } from './load-mix.ts';
import { type Person, renewTokens } from './load-people.ts';
import { folderMb, type ServerSample } from './load-servers.ts';
import { addToCount, type KindResult, newResult, runStep } from './load-step.ts';

/** State of the cluster after a minute. */
export interface SoakSample {
  minute: number;
  servers: ServerSample[];
  /** Folders of all processes. */
  diskMb: number;
  databaseMb: number;
  /** Saves that were acknowledged since the beginning. */
  saves: number;
}

/** A long run at one rate. */
export interface SoakResult {
  rate: number;
  minutes: number;
  samples: SoakSample[];
  kinds: KindResult[];
}

const SAMPLE_SECONDS = 60;
/** Access tokens end after 30 minutes. */
const RENEW_EVERY_MINUTES = 15;

/** Sends the mix at a rate for so many minutes, reads the state of the servers after each, and hands over what there is so far. */
export async function runSoak(
  cluster: Cluster,
  { mix, people, minutes, rate }: { mix: LoadKind[]; people: Person[]; minutes: number; rate: number },
  onMinute: (soFar: SoakResult) => Promise<void>,
): Promise<void> {
  const { servers, worker, root } = cluster;
  const samples: SoakSample[] = [];
  const kinds = new Map<string, KindResult>();
  for (let minute = 1; minute <= minutes; minute++) {
    if (minute % RENEW_EVERY_MINUTES === 0) await renewTokens(servers[0]!.url, people);
    const step = await runStep(servers, mix, { rate, seconds: SAMPLE_SECONDS });
    for (const kind of step.kinds) addUp(kinds, kind);
    const folders = [worker, ...servers].map(({ folder }) => folderMb(folder));
    const disk = await Promise.all(folders);
    samples.push({
      minute,
      servers: step.samples,
      diskMb: disk.reduce((sum, size) => sum + size, 0),
      databaseMb: await folderMb(`${root}/database`),
      saves: kinds.get('save')?.served.length ?? 0,
    });
    await onMinute({ rate, minutes: minute, samples, kinds: [...kinds.values()] });
    console.error(JSON.stringify(samples.at(-1)));
  }
}

function addUp(all: Map<string, KindResult>, kind: KindResult): void {
  const sum = all.get(kind.name) ?? newResult(kind.name);
  all.set(kind.name, sum);
  sum.served.push(...kind.served);
  sum.refused.push(...kind.refused);
  for (const [name, count] of kind.reasons) addToCount(sum.reasons, name, count);
  for (const [name, count] of kind.failed) addToCount(sum.failed, name, count);
}
