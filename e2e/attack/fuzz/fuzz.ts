import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { errorReply as errorSchema } from '#contract/error-reply.ts';
import type { Route } from '#contract/route.ts';
import { type HttpRequest, mapAtOnce, type Reply } from '../client.ts';
import { type Family, isServerError } from '../family.ts';
import { newIpAddress, type World } from '../world.ts';
import { type FuzzCall, makeCalls } from './requests.ts';
import { createFuzzUsers, FUZZ_CANARY } from './users.ts';

/*
 * Calls of every route, generated from the contract: valid, nearly valid and broken. Invariants: no failure but 503 and
 * 507 in words, replies that match the contract, errors of one shape that reveal no internals, and no data of other
 * users in any reply.
 */

const CALLS = { full: 20_000, short: 1_000 };
const AT_ONCE = 16;
/** So that a failure can be seen again. */
const SEED = 20_261_122;
const MAX_FAILURES = 40;

/** Patterns of internals: stack frames, file system paths, SQL, names of system errors. */
const INSIDE =
  /\n\s+at \S+ \(|node:internal|\/(?:work|home|root|tmp|usr|var)\/\w|\.ts:\d+|\bselect .+ from\b|insert into|violates|relation "|syntax error at|\bE(?:NOENT|ACCES|CONN\w+|PERM|EXIST|NOTDIR)\b|TypeError|Cannot read prop|Zod|kysely|postgres/i;

interface Contract {
  routes: Route[];
  errorReply: typeof errorSchema;
}

/** The contract of the checkout that is attacked, which may be an older one. */
async function loadContract(checkout: string): Promise<Contract> {
  const load = (file: string) => import(pathToFileURL(join(checkout, 'src/contract', file)).href);
  const [{ apiRoutes, api }, { errorReply }] = await Promise.all([load('api.ts'), load('error-reply.ts')]);
  // Version 0.1 calls it `api`.
  const features = Object.values((apiRoutes ?? api) as Record<string, Record<string, Route>>);
  return { routes: features.flatMap((feature) => Object.values(feature)), errorReply };
}

async function runFuzz(world: World): Promise<string | null> {
  const contract = await loadContract(world.checkout);
  const calls = makeCalls(contract.routes, world.short ? CALLS.short : CALLS.full, SEED);
  const users = await createFuzzUsers(world);
  const failures: string[] = [];
  const seen: Record<string, number> = {};
  const ips = Array.from({ length: 50 }, newIpAddress);
  await mapAtOnce(calls, AT_ONCE, async (call, index) => {
    if (failures.length >= MAX_FAILURES) return;
    const before = users.generation();
    const request = users.fill(call.request);
    if (call.caller === 'visitor') request.from = ips[index % ips.length]!;
    const who = call.caller === 'visitor' || call.caller === 'admin' ? call.caller : users.user(call.caller);
    const reply = await world.send(who, request);
    const status = String(reply.status);
    seen[status] = (seen[status] ?? 0) + 1;
    const problem = judge(call, request, reply, contract);
    if (problem)
      failures.push(
        `${call.route.method} ${call.route.path} by ${call.caller}: ${problem} · ${shown(request)}`,
      );
    await users.repair(call, reply, before);
  });
  console.log(
    `    ${calls.length} calls of ${contract.routes.length} routes, seed ${SEED}: ${JSON.stringify(seen)}`,
  );
  return failures.length === 0 ? null : failures.join('\n    ');
}

function judge(
  { route, caller }: FuzzCall,
  request: HttpRequest,
  reply: Reply,
  contract: Contract,
): string | null {
  const { status, text, headers } = reply;
  if (status === null) return 'no reply';
  if (isServerError(reply)) return `${status} ${text.slice(0, 200)}`;
  // An administrator may see what is on the server.
  if (caller !== 'admin' && text.includes(FUZZ_CANARY))
    return `shows data of another user: ${around(text, FUZZ_CANARY)}`;
  const isJson = String(headers['content-type']).startsWith('application/json');
  if (status < 300) return isJson && route.kind !== 'file' ? judgeSuccess(route, reply) : null;
  if (status < 400) return null;
  if (!isJson) return `${status} is not JSON: ${text.slice(0, 120)}`;
  return judgeError(request, reply, contract);
}

function judgeSuccess(route: Route, { status, text }: Reply): string | null {
  if (status !== (route.status ?? 200)) return `${status} instead of ${route.status ?? 200}`;
  const parsed = route.reply.safeParse(JSON.parse(text));
  if (parsed.success) return null;
  const [issue] = parsed.error.issues;
  return `the reply breaks the contract: ${issue?.path.join('.')} ${issue?.message}`;
}

function judgeError(request: HttpRequest, { status, text }: Reply, { errorReply }: Contract): string | null {
  const parsed = errorReply.safeParse(JSON.parse(text));
  if (!parsed.success) return `${status} has another shape: ${text.slice(0, 160)}`;
  const { error, detail } = parsed.data;
  if (error.message !== detail) return `${status}: message and detail differ`;
  const sent = decodeURIComponentSafely(`${request.path} ${String(request.body ?? '')}`);
  const inside = INSIDE.exec(detail)?.[0];
  if (inside && !sent.includes(inside)) return `${status} tells of the inside: ${detail.slice(0, 200)}`;
  const word = status === 401 ? null : /40[13]|\btokens?\b/i.exec(detail)?.[0];
  return word && !sent.includes(word)
    ? `${status} says ${JSON.stringify(word)}: ${detail.slice(0, 160)}`
    : null;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return `${text} ${decodeURIComponent(text)}`;
  } catch {
    return text;
  }
}

function around(text: string, words: string): string {
  const at = text.indexOf(words);
  return text.slice(Math.max(0, at - 80), at + 80);
}

function shown({ method, path, body, headers }: HttpRequest): string {
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${String(body ?? '').slice(0, 300)}`;
}

export const fuzz: Family = {
  name: 'fuzz',
  modes: ['default'],
  maxDiskBytes: 256 * 2 ** 20,
  inputs: [
    {
      name: 'all routes of the contract',
      act: runFuzz,
      ...{ slowestMs: 20_000, short: true },
    },
  ],
};
