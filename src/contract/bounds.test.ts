import { expect, test } from 'vitest';
import type { z } from 'zod';
import { apiRoutes } from './api.ts';
import { MAX_REPLY_BYTES, type Route } from './route.ts';

/** Parts of replies that no schema bounds, and what does. */
const BOUNDED_ELSEWHERE = new Map([
  ['GET /ide/projects/:id/files', 'the server cuts trees by entries and bytes, see readTree'],
]);

/** Records whose keys come from us, not from repositories or people. */
const OWN_KEYS = ['.params', '.reasons', '.subject', '.detail'];

interface Def {
  type: string;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
  items?: z.ZodType[];
  shape?: Record<string, z.ZodType>;
  in?: z.ZodType;
  out?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  checks?: { _zod: { def: { check: string } } }[];
}

/** Places in a schema that may hold any number of things. */
function unboundedParts(schema: z.ZodType, place = ''): string[] {
  const def = (schema as unknown as { _zod: { def: Def } })._zod.def;
  const inside = (parts: (z.ZodType | undefined)[]) =>
    parts.flatMap((part) => (part ? unboundedParts(part, place) : []));
  switch (def.type) {
    case 'array': {
      const isBounded = def.checks?.some(({ _zod }) => _zod.def.check === 'max_length');
      return [...(isBounded ? [] : [`${place}[]`]), ...unboundedParts(def.element!, `${place}[]`)];
    }
    case 'object':
      return Object.entries(def.shape!).flatMap(([name, part]) => unboundedParts(part, `${place}.${name}`));
    case 'record':
      return OWN_KEYS.some((name) => place.endsWith(name)) ? [] : [`${place}{}`];
    case 'custom':
    case 'any':
    case 'unknown':
    case 'lazy':
      return [`${place}?`];
    default:
      return inside([
        ...[def.innerType, def.in, def.out, def.left, def.right],
        ...(def.options ?? []),
        ...(def.items ?? []),
      ]);
  }
}

const ROUTES = Object.values(apiRoutes).flatMap((feature) => Object.values<Route>(feature));

test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'every list in the reply of %s has a bound',
  (name, route) => {
    expect(route.maxReplyBytes ?? MAX_REPLY_BYTES).toBeLessThanOrEqual(16 * 2 ** 20);
    // Files and streams are never held as a whole.
    if (route.kind === 'file' || route.kind === 'stream' || BOUNDED_ELSEWHERE.has(name)) return;
    expect(unboundedParts(route.reply)).toEqual([]);
  },
);
