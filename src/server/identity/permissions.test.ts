import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiRoutes } from '#contract/api.ts';
import type { Route } from '#contract/route.ts';
import { type TestApp, testApp } from '../testing.ts';
import {
  CALLERS,
  KEYS,
  MATRIX,
  type MatrixWorld,
  matrixWorld,
  type Row,
  requestOf,
} from './testing-permissions.ts';

/** Every route × everybody who could call it × ids of others: who gets in, and what all the rest hear. */

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

const ROUTES = Object.values(apiRoutes).flatMap((feature) => Object.values<Route>(feature));
const NAMES = ROUTES.map((route) => `${route.method} ${route.path}`);
const ROWS = NAMES.filter((name) => name in MATRIX).map((name) => [name, MATRIX[name]!] as const);

test('the matrix contains every route and nothing else', () => {
  expect(Object.keys(MATRIX).sort()).toEqual([...NAMES].sort());
});

type Outcome = 'in' | 'signed out' | 'not found' | 'read only' | 'deactivated';

/** Classifies a reply. A permitted call may still fail: a project has no index, a payment no gateway. */
function outcomeOf(reply: LightMyRequestResponse): Outcome {
  const { error } = reply.statusCode === 204 ? { error: undefined } : reply.json();
  if (error?.message === 'Sign in to continue.') return 'signed out';
  if (error?.code === 'deactivated') return 'deactivated';
  if (error?.code === 'read_only') return 'read only';
  const hidden =
    /^(?:Project not found|There is no such (?!member|invitation|file)|There is nothing at|This API key is limited)/;
  return hidden.test(error?.message ?? '') ? 'not found' : 'in';
}

const RANK = { viewer: 0, editor: 1, owner: 2 };
const isProjectRole = (who: string): who is keyof typeof RANK => who in RANK;

function expected({ permission: who }: Row, caller: (typeof CALLERS)[number]): Outcome {
  if (who === 'visitor') return 'in';
  if (caller === 'visitor') return 'signed out';
  if (who === 'admin') return caller === 'admin' ? 'in' : 'not found';
  if (!isProjectRole(who)) return 'in';
  if (!isProjectRole(caller)) return 'not found';
  return RANK[caller] >= RANK[who] ? 'in' : 'read only';
}

/** Of the calls that anybody may make, this one alone asks for proof of a sign-in itself. */
const PROVES_ITSELF = 'POST /auth/refresh';

/** These are tried with an id that nothing has, and answer those who may ask that there is no such thing. */
const asksForNothing = ({ permission: who, id, nothing }: Row) =>
  nothing || ((who === 'own' || who === 'admin') && id === 'OTHER');

function acceptable(name: string, row: Row, wanted: Outcome): Outcome[] {
  if (wanted === 'in' && asksForNothing(row)) return ['in', 'not found'];
  return name === PROVES_ITSELF ? ['signed out'] : [wanted];
}

async function call(
  name: string,
  row: Row,
  world: MatrixWorld,
  authorization: string | undefined,
  missing = false,
) {
  return await server.inject({
    ...requestOf(name, row, world, missing),
    headers: authorization === undefined ? {} : { authorization },
    // One address each: limits are tested elsewhere.
    remoteAddress: `10.2.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`,
  });
}

test.each(ROWS)('%s is allowed for the expected callers', async (name, row) => {
  const world = await matrixWorld(server);
  for (const caller of CALLERS) {
    const reply = await call(name, row, world, world.bearer[caller]);
    const seen = `${caller}: ${reply.statusCode} ${reply.body.slice(0, 200)}`;
    const outcome = outcomeOf(reply);
    const ok = acceptable(name, row, expected(row, caller));
    expect(ok, seen).toContain(outcome);
    if (outcome === 'not found') expect(reply.body).not.toContain('secret words');
  }
});

test.each(ROWS.filter(([, { permission: who }]) => isProjectRole(who) || who === 'own'))(
  '%s answers the id of another user exactly as a missing one',
  async (name, row) => {
    const world = await matrixWorld(server);
    const answers = [];
    for (const missing of [false, true]) {
      const reply = await call(name, row, world, world.bearer.stranger, missing);
      const { request_id: _, ...error } = reply.json().error;
      answers.push({ status: reply.statusCode, error });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.status).toBe(row.payload && row.permission === 'own' ? 404 : answers[0]!.status);
    const left = await server.deps.db
      .selectFrom('projects')
      .innerJoin('project_members as m', 'm.project_id', 'projects.id')
      .select(['name', 'role'])
      .where('projects.id', '=', world.ids.PROJECT)
      .execute();
    expect(left.map(({ role }) => role).sort()).toEqual(['editor', 'owner', 'viewer', 'viewer']);
  },
);

/** Calls that name no project and reply about that of the key. */
const LIMITED_TO_KEY = new Set([
  'GET /projects',
  'GET /auth/me',
  'GET /search/results',
  'GET /search/counts',
  'GET /search/values',
]);

function expectedOfKey(name: string, row: Row, key: (typeof KEYS)[number]): Outcome {
  if (row.permission === 'visitor') return 'in';
  if (key === 'revoked' || key === 'expired') return 'signed out';
  if (key === 'inactive') return 'deactivated';
  if (row.keys === 'none') return 'signed out';
  const named = isProjectRole(row.permission) && !row.nameless;
  const everywhere = LIMITED_TO_KEY.has(name);
  if (key === 'this project' && !everywhere && !named) return 'not found';
  if (key === 'other project' && !everywhere) return 'not found';
  if (key === 'read' && row.keys === 'write') return 'read only';
  return 'in';
}

test.each(ROWS)('%s is allowed for the expected API keys', async (name, row) => {
  let world = await matrixWorld(server);
  for (const key of KEYS) {
    // The one before may have deleted the project.
    if (key === 'write') world = await matrixWorld(server);
    const reply = await call(name, row, world, world.bearer[key]);
    const seen = `${key}: ${reply.statusCode} ${reply.body.slice(0, 200)}`;
    const wanted = expectedOfKey(name, row, key);
    const ok = acceptable(name, row, wanted);
    expect(ok, seen).toContain(outcomeOf(reply));
  }
});
