import { expect } from 'vitest';
import { apiRoutes } from '#contract/api.ts';
import type { Route } from '#contract/route.ts';
import { type CallReply, signUp } from './caller.ts';
import type { CallTable, FieldType } from './row.ts';
import type { World } from './world.ts';

const ROUTES = new Map(
  Object.values(apiRoutes)
    .flatMap((feature) => Object.values(feature) as Route[])
    .map((route) => [`${route.method} ${route.path}`, route]),
);

/** Replies to one call, under `/api` and at its path without the prefix. */
export type Replies = Record<'api' | 'bare', CallReply>;

/** Makes the call at both paths. */
export async function makeCalls(table: CallTable, world: World): Promise<Replies> {
  const make = async (bare: boolean) => {
    const call = table.as === 'buyer' ? world.shop.call : world.call;
    const as = await callerOf(table, world);
    const input = (await table.input?.(world, { call, as })) ?? {};
    return await call(table.call, { as, ...input, bare });
  };
  return { api: await make(false), bare: await make(true) };
}

let userCount = 0;

async function callerOf({ as = 'user' }: CallTable, world: World) {
  if (as === 'visitor') return null;
  if (as !== 'new') return world.accounts[as];
  userCount += 1;
  return await signUp(world.call, `passer-${userCount}`);
}

/** Asserts that both replies have the expected status and match the contract. */
export function checkReply({ call, status = 200 }: CallTable, replies: Replies): void {
  for (const { status: got, body } of Object.values(replies)) {
    expect({ status: got, ...(got !== status && { body }) }).toEqual({ status });
    if (status < 300) expect(ROUTES.get(call)?.reply.safeParse(body).error).toBeUndefined();
  }
  expect(ROUTES.has(call), `${call} is in the contract`).toBe(true);
}

/** Asserts that both replies have the field, of its type. */
export function checkField(path: string, type: FieldType, replies: Replies): void {
  for (const { body } of Object.values(replies)) {
    const values = valuesAt(body, path.split('.'));
    expect(values.length, `there is a ${path} to look at`).toBeGreaterThan(0);
    for (const value of values) expect(isOf(type, value), `${path} is ${JSON.stringify(value)}`).toBe(true);
  }
}

function valuesAt(value: unknown, steps: string[]): unknown[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [value];
  const isList = step.endsWith('[]');
  const name = isList ? step.slice(0, -2) : step;
  const found = name === '' ? value : (value as Record<string, unknown> | null | undefined)?.[name];
  if (!isList) return valuesAt(found, rest);
  return Array.isArray(found) ? found.flatMap((entry) => valuesAt(entry, rest)) : [];
}

function isOf(type: FieldType, value: unknown): boolean {
  if (type instanceof RegExp) return typeof value === 'string' && type.test(value);
  if (typeof type !== 'string') return type.includes(value as string);
  if (type.endsWith('?')) return value == null || isOf(type.slice(0, -1) as FieldType, value);
  if (type === 'list') return Array.isArray(value);
  return value !== null && typeof value === type;
}
