import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { type FilterTerm, parseFilter } from './filter.ts';
import { resourceNotFound, ScimError } from './scim-error.ts';
import type { ScimClient } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    scimClient: ScimClient | null;
  }
}

/** Dependencies of the routes of a resource. */
export interface ScimContext {
  /** Scope with the error handler, the parser and the sign-in of SCIM. */
  scope: FastifyInstance;
  deps: Deps;
  baseUrl(): string;
}

/** The directory that calls. */
export function clientOf(request: FastifyRequest): ScimClient {
  return request.scimClient!;
}

const MAX_ID_LENGTH = 64;

/** The id in the path. Throws a SCIM error 404 for what cannot be one. */
export function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (id.length > MAX_ID_LENGTH || id.includes('\0')) throw resourceNotFound();
  return id;
}

/** Throws for a body with text that PostgreSQL does not store. */
export function requireStorableBody(body: unknown): void {
  const text = JSON.stringify(body) ?? '';
  if (text.includes('\\u0000') || /\\ud[89a-f][0-9a-f]{2}/i.test(text))
    throw new ScimError(400, 'The body has characters that cannot be stored.', 'invalidValue');
}

/** Parses the filter of a list. */
export function readFilter(filter: unknown): FilterTerm[] {
  if (filter === undefined) return [];
  if (typeof filter !== 'string' || filter.includes('\0'))
    throw new ScimError(400, 'The filter is not a text.', 'invalidValue');
  return parseFilter(filter);
}
