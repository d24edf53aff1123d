import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpRequest, mapAtOnce, type Reply, statusOf } from './client.ts';
import { percentile, startProbe } from './probe.ts';
import { diskUsage } from './process-tree.ts';
import type { Mode, Who, World } from './world.ts';

/** One hostile input: what is sent, and what must hold beside the bounds for all. */
export interface Input {
  name: string;
  /** Sender of `requests`. */
  as?: Who;
  requests?: (world: World) => HttpRequest | HttpRequest[];
  /** Number of repetitions of each request, and of concurrent ones. */
  times?: number;
  atOnce?: number;
  /** The statuses that are right; where absent, any but a 5xx that is not 503 or 507. */
  allowed?: readonly number[];
  /** Further problems of the replies as text; null when there are none. */
  check?: (replies: Reply[], world: World) => string | null | Promise<string | null>;
  /** In place of `requests`: acts as it wants and returns what is wrong. */
  act?: (world: World) => Promise<string | null>;
  /** The modes in which it is sent; all that its family has when absent. */
  modes?: readonly Mode[];
  /** Sent in the short form, too. */
  short?: boolean;
  /** Replies may take longer, such as 30 s for work that is allowed that long. */
  slowestMs?: number;
}

/** Inputs of one kind. */
export interface Family {
  name: string;
  modes: readonly Mode[];
  /** Runs before anything is measured; what it returns ends with the family. */
  setup?: (world: World) => Promise<void>;
  inputs: readonly Input[];
  /** Bytes that the data folder may grow by; 64 MiB when absent. */
  maxDiskBytes?: number;
  /** `off`: what others meet is not judged, such as where the database is killed. */
  probe?: 'off';
  /** Bytes of memory that may be in use at the peak beyond those before; 1 GiB when absent. */
  maxMemoryBytes?: number;
}

/** Limits of every family. */
export interface Bounds {
  slowestMs: number;
  /** A neighbour's 95th percentile may be so many times the quiet one, and so much longer. */
  probeFactor: number;
  probeExtraMs: number;
}

/** The row of a family. */
export interface FamilyResult {
  family: string;
  mode: Mode;
  inputs: number;
  requests: number;
  deaths: number;
  serverErrors: number;
  slowestMs: number;
  memory: { before: number; peak: number; after: number };
  diskBytes: number;
  probeP95: number;
  quietP95: number;
  seconds: number;
  failures: string[];
  /** Inputs that this machine cannot run, with the reason. */
  leftOut: string[];
}

/** Thrown by an input that this machine cannot run. */
export class LeftOut extends Error {}

const MIB = 2 ** 20;
const MAX_REPORTED_PROBLEMS = 3;
/** A server that answers nothing for so long after an input is killed. */
const STANDSTILL_MS = 20_000;
const MAX_REPLY_BYTES = 8 * MIB;
const EXPECTED_SERVER_ERRORS = [503, 507];

/**
 * The inputs of a family in a mode. The short form sends few, and those that name no mode in the family's first one only:
 * each mode takes a server of its own.
 */
export function chooseInputs({ modes, inputs }: Family, mode: Mode, short: boolean): Input[] {
  return inputs.filter(({ modes: own, short: isShort }) => {
    if (!short) return modes.includes(mode) && own?.includes(mode) !== false;
    return Boolean(isShort) && (own ?? modes.slice(0, 1)).includes(mode);
  });
}

/** Sends every input of a family, one after the other, while neighbours are watched. */
export async function runFamily(
  family: Family,
  world: World,
  { quietP95, bounds, short }: { quietP95: number; bounds: Bounds; short: boolean },
): Promise<FamilyResult> {
  const chosen = chooseInputs(family, world.mode, short);
  const failures: string[] = [];
  const leftOut: string[] = [];
  if (chosen.length > 0) {
    await family
      .setup?.(world)
      .catch((error: Error) => failures.push(`${family.name}: setup: ${error.message}`));
    await world.server.revive();
  }
  const inputs = failures.length > 0 ? [] : chosen;
  const { server } = world;
  const began = performance.now();
  const deathsBefore = server.deaths.length;
  const [diskBefore, before] = [await diskUsage(server.dataDir), server.memory().now];
  server.resetPeak();
  const counted = { requests: 0, serverErrors: 0, slowestMs: 0 };
  const probe = startProbe(world);
  for (const input of inputs) {
    const replies: Reply[] = [];
    const problems: string[] = [];
    world.onReply = (request, reply) => {
      replies.push(reply);
      counted.requests += 1;
      const problem = judgeReply(reply, input, bounds);
      if (isServerError(reply)) counted.serverErrors += 1;
      if (!reply.hungUp && !input.slowestMs) counted.slowestMs = Math.max(counted.slowestMs, reply.ms);
      const cause = problem && isServerError(reply) ? loggedError(server.log(), reply.text) : '';
      if (problem) problems.push(`${describe(request)}: ${problem}${cause}`);
    };
    world.onRawReply = ({ text, ms }) => {
      counted.requests += 1;
      const status = statusOf(text);
      if (status !== null && isServerError({ status })) counted.serverErrors += 1;
      counted.slowestMs = Math.max(counted.slowestMs, ms ?? 0);
      if (ms !== null && ms > bounds.slowestMs) problems.push(`took ${Math.round(ms)} ms`);
    };
    const problem = await runInput(input, world, replies).catch((error: Error) => {
      if (!(error instanceof LeftOut)) return error.message;
      leftOut.push(`${family.name}: ${input.name}: ${error.message}`);
      return null;
    });
    world.onReply = () => {};
    world.onRawReply = () => {};
    await server.killUnlessAnswering(STANDSTILL_MS);
    if (problem !== null) problems.unshift(problem);
    failures.push(...summarize(problems).map((problem) => `${family.name}: ${input.name}: ${problem}`));
    if (await server.revive()) {
      failures.push(`${family.name}: ${input.name}: the server died (${server.deaths.at(-1)})`);
    }
  }
  const { times, failures: refused } = await probe.stop();
  await sleep(200);
  const probeP95 = percentile(times, 0.95);
  const limit = bounds.probeFactor * quietP95 + bounds.probeExtraMs;
  const deaths = server.deaths.length - deathsBefore;
  if (family.probe !== 'off' && probeP95 > limit) {
    failures.push(
      `${family.name}: a neighbour's p95 was ${Math.round(probeP95)} ms; ${Math.round(limit)} are allowed`,
    );
  }
  if (family.probe !== 'off' && deaths === 0 && Object.keys(refused).length > 0) {
    failures.push(`${family.name}: neighbours were refused: ${JSON.stringify(refused)}`);
  }
  const { now: after, peak } = server.memory();
  const diskBytes = (await diskUsage(server.dataDir)) - diskBefore;
  if (diskBytes > (family.maxDiskBytes ?? 64 * MIB)) {
    failures.push(`${family.name}: the data folder grew by ${Math.round(diskBytes / MIB)} MiB`);
  }
  if (deaths === 0 && peak - before > (family.maxMemoryBytes ?? 1024 * MIB)) {
    failures.push(`${family.name}: memory grew by ${Math.round((peak - before) / MIB)} MiB`);
  }
  return {
    ...{ family: family.name, mode: world.mode, inputs: chosen.length, ...counted, deaths, diskBytes },
    ...{ memory: { before, peak, after }, probeP95, quietP95, failures, leftOut },
    seconds: (performance.now() - began) / 1000,
  };
}

/** The first problems of an input, and how many more there are of the same kind. */
function summarize(problems: string[]): string[] {
  if (problems.length <= MAX_REPORTED_PROBLEMS) return problems;
  return [...problems.slice(0, MAX_REPORTED_PROBLEMS), `and ${problems.length - MAX_REPORTED_PROBLEMS} more`];
}

async function runInput(input: Input, world: World, replies: Reply[]): Promise<string | null> {
  if (input.act) return await input.act(world);
  const requests = [input.requests?.(world) ?? []].flat();
  const all = Array.from({ length: input.times ?? 1 }, () => requests).flat();
  await mapAtOnce(all, input.atOnce ?? 1, (request) => world.send(input.as ?? 'visitor', request));
  return (await input.check?.(replies, world)) ?? null;
}

function judgeReply(reply: Reply, { allowed, slowestMs }: Input, bounds: Bounds): string | null {
  const { status, ms, bytes, hungUp } = reply;
  if (hungUp) return null;
  if (status === null) return `no reply after ${Math.round(ms)} ms`;
  if (isServerError(reply)) return `${status} ${reply.text.slice(0, 200)}`;
  if (allowed && !allowed.includes(status) && !isBusy(status)) {
    return `${status} instead of ${allowed.join(' or ')}: ${reply.text.slice(0, 200)}`;
  }
  if (ms > Math.max(bounds.slowestMs, slowestMs ?? 0)) return `took ${Math.round(ms)} ms`;
  if (bytes > MAX_REPLY_BYTES) return `a reply of ${Math.round(bytes / MIB)} MiB`;
  return null;
}

/** True for an unexpected server failure. */
export function isServerError({ status }: Pick<Reply, 'status'>): boolean {
  return status !== null && status >= 500 && !EXPECTED_SERVER_ERRORS.includes(status);
}

/** Temporary refusals: valid replies to any request. */
function isBusy(status: number): boolean {
  return status === 429 || EXPECTED_SERVER_ERRORS.includes(status);
}

/** The error that the server logged for a reply, found by the request's id; empty when it logged none. */
function loggedError(log: string, replyText: string): string {
  const id = /"request_id":"([\w-]+)"/.exec(replyText)?.[1];
  const line = log
    .split('\n')
    .find((each) => id !== undefined && each.includes(id) && each.includes('"stack"'));
  return line === undefined ? '' : ` · logged: ${line.slice(line.indexOf('"err"'), 1_200)}`;
}

/** Enough to send it again. */
function describe({ method = 'GET', path, body, headers }: HttpRequest): string {
  const text = Buffer.isBuffer(body)
    ? `${body.length} bytes`
    : typeof body === 'string'
      ? body
      : JSON.stringify(body);
  const shown =
    text === undefined ? '' : ` ${text.slice(0, 160)}${text.length > 160 ? `… (${text.length})` : ''}`;
  const more = headers && Object.keys(headers).length > 0 ? ` ${JSON.stringify(headers).slice(0, 160)}` : '';
  return `${method} ${path.slice(0, 200)}${more}${shown}`;
}
