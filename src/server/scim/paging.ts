import { ScimError } from './scim-error.ts';

const DEFAULT_COUNT = 100;
const MAX_COUNT = 200;

/** A page of a list: `startIndex` counts from 1. */
export interface ScimPage {
  startIndex: number;
  count: number;
}

/** Reads `startIndex` and `count`; values beyond their limits are brought within them (RFC 7644, section 3.4.2.4). */
export function parsePage(query: Record<string, unknown>): ScimPage {
  return {
    startIndex: Math.max(1, parseInteger(query.startIndex, 1)),
    count: Math.min(MAX_COUNT, Math.max(0, parseInteger(query.count, DEFAULT_COUNT))),
  };
}

function parseInteger(value: unknown, preset: number): number {
  if (value === undefined || value === '') return preset;
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value))
    throw new ScimError(400, 'startIndex and count are whole numbers.', 'invalidValue');
  return Number(value);
}

/** Formats a list (RFC 7644, section 3.4.2). */
export function presentList(resources: object[], total: number, { startIndex }: ScimPage) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
