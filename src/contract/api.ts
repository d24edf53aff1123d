import { accountRoutes } from './account.ts';
import { authRoutes } from './auth.ts';
import { debugRoutes } from './debug.ts';
import { historyRoutes } from './history.ts';
import { projectRoutes } from './projects.ts';
import type { RouteInput, RouteKey, RouteReply } from './route.ts';
import { searchRoutes } from './search.ts';

/** Every route of the API by feature. The server must serve each of them; a test counts. */
export const api = {
  auth: authRoutes,
  account: accountRoutes,
  projects: projectRoutes,
  search: searchRoutes,
  debug: debugRoutes,
  history: historyRoutes,
};

type Features = typeof api;
type AnyRoute = { [F in keyof Features]: Features[F][keyof Features[F]] }[keyof Features];

/** `'GET /projects/:id'` and so on: every call the browser can make. */
export type ApiKey = RouteKey<AnyRoute>;

type RouteOf<K extends ApiKey> = K extends `${infer M} ${infer P}`
  ? Extract<AnyRoute, { method: M; path: P }>
  : never;

/** What the call named K takes. Types only: the browser never loads the schemas for a call. */
export type ApiInput<K extends ApiKey> = RouteInput<RouteOf<K>>;

/** What the call named K answers. */
export type ApiReply<K extends ApiKey> = RouteReply<RouteOf<K>>;
