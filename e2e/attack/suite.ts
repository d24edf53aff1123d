import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#git/testing-remotes.ts';
import { FAMILIES } from './families/all.ts';
import { type Bounds, chooseInputs, type FamilyResult, runFamily } from './family.ts';
import { startObedientModel } from './injection/model.ts';
import { startMailSink } from './mail.ts';
import { percentile, startProbe } from './probe.ts';
import { serveRepositories } from './repositories.ts';
import { startServer } from './server.ts';
import { createWorld, type Mode, SECRETS, type World } from './world.ts';

export const MODES: readonly Mode[] = ['default', 'public', 'services', 'model'];

/** Limits under `npm test`: other tests run on the same machine, so only a hang counts. */
export const LOOSE_BOUNDS: Bounds = { slowestMs: 30_000, probeFactor: 4, probeExtraMs: 4000 };
export const STRICT_BOUNDS: Bounds = { slowestMs: 2000, probeFactor: 2, probeExtraMs: 250 };

interface SuiteOptions {
  /** The checkout whose server is attacked. */
  checkout: string;
  modes: readonly Mode[];
  short: boolean;
  bounds: Bounds;
  /** Only families whose name holds one of these; all when empty. */
  only?: readonly string[];
  onResult?: (result: FamilyResult) => void;
}

/** Runs the families of each mode against a server of its own. */
export async function runSuite(options: SuiteOptions): Promise<FamilyResult[]> {
  const results: FamilyResult[] = [];
  const { modes } = options;
  for (const mode of modes) {
    const chosen = FAMILIES.filter(
      (family) => isChosen(family.name, options) && chooseInputs(family, mode, options.short).length > 0,
    );
    if (chosen.length === 0) continue;
    const { world, close } = await openWorld(mode, options);
    try {
      const quietP95 = await measureQuiet(world);
      for (const family of chosen) {
        const result = await runFamily(family, world, { ...options, quietP95 });
        results.push(result);
        options.onResult?.(result);
        await waitUntilIdle(world, quietP95);
      }
    } finally {
      await close();
    }
  }
  return results;
}

function isChosen(name: string, { only = [] }: SuiteOptions): boolean {
  return only.length === 0 || only.some((part) => name.includes(part));
}

/** Starts a server of a mode with its people and projects; `close` ends all of it. */
export async function openWorld(
  mode: Mode,
  { checkout, short }: Pick<SuiteOptions, 'checkout' | 'short'>,
): Promise<{ world: World; close(): Promise<void> }> {
  const repositories = await serveRepositories();
  const model = mode === 'model' ? await startObedientModel() : null;
  const mail = mode === 'services' ? await startMailSink() : null;
  const slowPorts = [await freePort(), await freePort()];
  const hosts = [repositories.host, repositories.secureHost, ...slowPorts.map((port) => `127.0.0.1:${port}`)];
  const settings = {
    GIT_ALLOWED_PRIVATE_HOSTS: hosts.join(','),
    GIT_CA_FILE: repositories.caFile,
    // Attacks share the machine with what else runs on it; that a request is never delayed for long is measured.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    ...SECRETS,
    ...(mode === 'public' && { PUBLIC_INSTANCE: '1' }),
    ...(mail && { ...PAYMENTS, SMTP_URL: mail.url, MAIL_FROM: 'Hindsight <hindsight@example.org>' }),
    ...model?.settings,
  };
  const server = await startServer(checkout, settings);
  const close = async () => {
    await server.stop();
    await model?.close();
    mail?.close();
    await repositories.close();
  };
  try {
    return {
      world: await createWorld(mode, server, repositories, {
        slowPorts,
        model,
        checkout,
        short,
        neighbours: short ? 4 : 10,
      }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Payments whose gateway cannot be reached: with them the limits of the plans hold. */
const PAYMENTS = {
  RAZORPAY_KEY_ID: 'rzp_test_attack',
  RAZORPAY_KEY_SECRET: 'canary-of-the-payments',
  RAZORPAY_API_URL: 'http://127.0.0.1:9',
};

/** A neighbour's 95th percentile while nothing else happens. */
export async function measureQuiet(world: World): Promise<number> {
  const warmUp = startProbe(world);
  await sleep(world.short ? 500 : 1500);
  await warmUp.stop();
  const probe = startProbe(world);
  await sleep(world.short ? 1000 : 3000);
  return percentile((await probe.stop()).times, 0.95);
}

/** Waits for leftover work of a family, which must not count for the next one. */
async function waitUntilIdle(world: World, quietP95: number): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const probe = startProbe(world);
    await sleep(300);
    const { times } = await probe.stop();
    if (percentile(times, 0.5) <= 2 * quietP95 + 50) return;
  }
}
