import { expect, test } from 'vitest';
import { z } from 'zod';
import { apiRoutes } from './api.ts';
import type { Route } from './route.ts';

/** Every text and list that a caller may send has an end, and is cheap to check however it is made. */

const ROUTES = Object.values(apiRoutes).flatMap((feature) => Object.values<Route>(feature));
const PARTS = ['params', 'query', 'body'] as const;

type Json = { [key: string]: unknown };

/** Places in a schema that accept a text, a list or a record of any size. */
function* unbounded(schema: Json, place: string): Generator<string> {
  const { type } = schema;
  if (type === 'string' && schema.maxLength === undefined && !schema.enum && schema.const === undefined) {
    if (!isBoundedPattern(schema.pattern)) yield place;
  }
  if (type === 'array') {
    if (schema.maxItems === undefined && schema.prefixItems === undefined) yield `${place}[]`;
    yield* unbounded((schema.items ?? {}) as Json, `${place}[]`);
  }
  if (type === 'object' && schema.additionalProperties && typeof schema.additionalProperties === 'object') {
    if (schema.propertyNames === undefined && schema.maxProperties === undefined) yield `${place}{}`;
    yield* unbounded(schema.additionalProperties as Json, `${place}{}`);
  }
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    yield* unbounded(property, `${place}.${name}`);
  }
  for (const choice of [schema.anyOf, schema.oneOf, schema.allOf].flat()) {
    if (choice) yield* unbounded(choice as Json, place);
  }
}

/** A pattern without `*`, `+` or an open `{n,}` ends by itself. */
function isBoundedPattern(pattern: unknown): boolean {
  return typeof pattern === 'string' && !/(?<!\\)[*+]|\{\d+,\}/.test(pattern);
}

const schemaOf = (type: z.ZodType) => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Json;

test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s states how much it takes',
  (_name, route) => {
    const found = PARTS.flatMap((part) => {
      const type = route[part];
      return type && route.kind !== 'raw' ? [...unbounded(schemaOf(type), part)] : [];
    });
    expect(found).toEqual([]);
  },
);

/** Texts that make a careless expression try every way to cut them. */
const LENGTH = 200_000;
const TEXTS = [
  ...['a', '.', '-', '/', ' ', '@', '1', 'a.', 'a-', 'a@', '../', '://', '\n', '\t ', 'é', '%2e'],
  ...['https://', 'git@a:', 'a@a.', '😀'],
].map((piece) => `${piece.repeat(Math.ceil(LENGTH / piece.length))}!`);

test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s refuses long texts at once',
  (_name, route) => {
    for (const part of PARTS) {
      const type = route[part];
      if (!type) continue;
      const properties = Object.keys((schemaOf(type).properties ?? {}) as Json);
      for (const text of TEXTS) {
        const before = process.threadCpuUsage();
        type.safeParse(Object.fromEntries(properties.map((name) => [name, text])));
        type.safeParse(Object.fromEntries(properties.map((name) => [name, [text, { [text]: text }]])));
        const { user } = process.threadCpuUsage(before);
        expect(user / 1000, `${part} with ${text.slice(0, 10)}…`).toBeLessThan(500);
      }
    }
  },
);
