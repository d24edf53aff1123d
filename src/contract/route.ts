import type { z } from 'zod';
import type { RateLimits } from './rate-limits.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Encoding of the body: JSON, an HTML form, raw bytes, server-sent events back, or a file back. */
type Kind = 'json' | 'form' | 'raw' | 'stream' | 'file';

/** Permitted callers: anyone, a signed-in user, or an admin. Rights in a project are checked by the handler. */
type Access = 'visitor' | 'user' | 'admin';

/** Features that an administrator can switch off for the whole server. */
export const FEATURES = [
  'signup',
  'project_creation',
  'file_saving',
  'pushing',
  'webhooks',
  'error_intake',
  'models',
  'landing',
] as const;
export type FeatureName = (typeof FEATURES)[number];

/** Every address of the API lies under this prefix, so that a page and a call never share one. */
export const API_PREFIX = '/api';

/** Largest reply of a route that names no other limit, in bytes of JSON. Files and streams are sent piece by piece. */
export const MAX_REPLY_BYTES = 4 * 2 ** 20;

/** Scope that an API key needs to call a route; no key opens a closed one. */
type ApiKeyAccess = 'closed' | 'read' | 'write';

/**
 * Part of a call that names its project: `:id` of the path, or `project_id` of the query or the body. `key`: the route
 * limits its reply to the project of the key itself.
 */
type ProjectSource = 'path' | 'query' | 'body' | 'key';

/** A rate limit of a route, as a setting of the server names it. */
export interface RouteRateLimit {
  /** Prefix of the counter; routes with one bucket are counted together. */
  readonly bucket: string;
  readonly limit: keyof RateLimits;
  readonly per: 'ip' | 'user';
  /** Enforced on public instances only. */
  readonly publicOnly?: true;
  /** Counts only calls with this query parameter. */
  readonly ifQuery?: string;
  /** Counts a call before its body is read, also when its input turns out to be invalid. */
  readonly beforeBody?: true;
}

/**
 * A route as a value. The server serves it, the web client and the tests call it, the OpenAPI page shows it.
 * `path` is in Fastify's notation without the prefix: `/projects/:id`.
 * `params`, `query` and `body` are never merged, so an id in a body can't shadow the checked one in the path.
 */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly kind: Kind;
  readonly access: Access;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly reply: z.ZodType;
  /** Status of success; 200 when absent. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Largest accepted body in bytes; 256 KiB when absent, 64 KiB for visitors. */
  readonly bodyLimit?: number;
  /** Largest reply in bytes of JSON; `MAX_REPLY_BYTES` when absent. It bounds every text of a reply, `max` every list. */
  readonly maxReplyBytes?: number;
  /** Answers 503 with the reason `feature_disabled` while an administrator has this switched off. */
  readonly feature?: FeatureName;
  /** Closed when absent, so that a new route takes no API key. */
  readonly apiKey: ApiKeyAccess;
  /** A key of a single project opens only routes that declare it. */
  readonly projectFrom?: ProjectSource;
  /** Refuses calls from pages of other origins with `bad_request`. */
  readonly sameOrigin?: true;
  /** Consumed before the handler runs; limits that depend on what a call finds are consumed by its handler. */
  readonly rateLimits?: readonly RouteRateLimit[];
  /** Answers 401 about credentials in the request itself, so that clients neither renew nor drop the access token. */
  readonly checksCredentials?: true;
  /** Enforces limits of its own: calls are not counted by IP on public instances. */
  readonly countsItself?: true;
  /** Served to accounts that have to set up a second factor before anything else. */
  readonly allowedWithoutSecondFactor?: true;
  /** Served while the disk is full, as every GET is: it stores nothing, makes room, or must not wait. */
  readonly allowedWhenDiskFull?: true;
}

type WithDefaults<R> = R & {
  kind: R extends { kind: infer K } ? K : 'json';
  access: R extends { access: infer A } ? A : 'user';
  apiKey: R extends { apiKey: infer A } ? A : 'closed';
};

type Defaulted = 'kind' | 'access' | 'apiKey';
type RouteDefinition = Omit<Route, Defaulted> & Partial<Pick<Route, Defaulted>>;
type NoFurtherKeys<R> = { [K in Exclude<keyof R, keyof Route>]: never };

/** Declares a route; without these fields `kind` is `json`, `access` is `user` and `apiKey` is `closed`. */
export function route<const R extends RouteDefinition>(definition: R & NoFurtherKeys<R>): WithDefaults<R> {
  return { kind: 'json', access: 'user', apiKey: 'closed', ...(definition as R) } as WithDefaults<R>;
}

type Part<R, K extends string, Side extends 'in' | 'out'> = R extends { [P in K]: infer S extends z.ZodType }
  ? { [P in K]: Side extends 'in' ? z.input<S> : z.output<S> }
  : { [P in K]?: undefined };

/** Input of a caller, before validation and defaults. Route by route: an intersection of unions would be of all pairs. */
export type RouteInput<R extends Route> = R extends Route
  ? Part<R, 'params', 'in'> & Part<R, 'query', 'in'> & Part<R, 'body', 'in'>
  : never;

/** Input of a handler, after validation and defaults. */
export type RouteData<R extends Route> = Part<R, 'params', 'out'> &
  Part<R, 'query', 'out'> &
  Part<R, 'body', 'out'>;

/** Output of a handler. */
export type RouteResult<R extends Route> = z.input<R['reply']>;

/** Reply to a caller. */
export type RouteReply<R extends Route> = z.output<R['reply']>;

/** `GET /projects/:id`: the name under which the web client calls a route. */
export type RouteKey<R extends Route> = R extends Route ? `${R['method']} ${R['path']}` : never;
