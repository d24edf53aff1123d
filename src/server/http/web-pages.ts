import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { type ReaderPreferences, readPreferences, savePreferences } from '../identity/reader-preferences.ts';
import { consumeIpLimit } from '../rate-limit/rate-limiter.ts';
import { isPageRoute, pagePath } from './matched-route.ts';

/** Where the build puts the web app. */
export const WEB_FOLDER = fileURLToPath(new URL('../../../dist/web', import.meta.url));

/** Names in this folder carry a hash of the content, so a copy stays good for ever. */
const HASHED_ASSETS = '/assets/';

/** Documents that are sent by their own addresses, never as files. */
const SITE_FOLDER = '/site/';

/** Paths that no page and no file has, but that a file system might read as another. */
const AMBIGUOUS_PATH = /[\\\p{Cc}]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/u;

/** What the build says of addresses: patterns of the application's pages, and finished pages with their names. */
interface SitePages {
  app: string[];
  site: Record<string, string>;
}

/**
 * Serves the web app: its files, its finished pages, and its one document at every address of the application. An
 * address that is neither gets the same document with status 404, and the application says so in words. Documents
 * leave with the reader's theme and language already set, so that the first paint is the right one.
 */
export async function servePages(
  app: FastifyInstance,
  deps: Pick<Deps, 'db' | 'now' | 'config'>,
  folder: string,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    cacheControl: false,
    allowedPath: (path) => !path.startsWith(SITE_FOLDER),
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(folder, HASHED_ASSETS));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!isPageRoute(request) || !AMBIGUOUS_PATH.test(pagePath(request))) return;
    reply.callNotFound();
    return reply;
  });
  const onUnknown = (request: FastifyRequest) => consumeIpLimit(deps, request.ip);
  // Neither pages nor files, however these begin.
  for (const url of [`${API_PREFIX}/*`, '/ws/*']) app.all(url, (_request, reply) => reply.callNotFound());
  // The folder itself is a directory to the plugin, which it forbids to list.
  app.get('/', async (request, reply) => await sendPage(folder, request, reply, onUnknown));
  app.setNotFoundHandler(async (request, reply) => {
    if (acceptsPage(request)) return await sendPage(folder, request, reply, onUnknown);
    if (isPageRoute(request)) await onUnknown(request);
    throw new AppError('not_found', 'page_not_found');
  });
}

function acceptsPage(request: FastifyRequest): boolean {
  if (!isPageRoute(request)) return false;
  const path = pagePath(request);
  if ([HASHED_ASSETS, SITE_FOLDER].some((prefix) => path.startsWith(prefix))) return false;
  return /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*');
}

/** Sends the page at a path, or the application with status 404 once `onUnknown` has let the request through. */
async function sendPage(
  folder: string,
  request: FastifyRequest,
  reply: FastifyReply,
  onUnknown: (request: FastifyRequest) => Promise<void>,
): Promise<FastifyReply> {
  // Read each time: a new build may come while the server runs.
  const { app, site } = JSON.parse(await readBuildFile(folder, 'site/addresses.json')) as SitePages;
  const path = pagePath(request).replace(/(?<=[^/])\/+$/, '');
  const choices = readPreferences(request);
  const finished = Object.hasOwn(site, path) && !(path === '/' && choices.signedIn) ? site[path] : undefined;
  reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Language, Cookie' });
  if (finished === undefined) {
    const known = matchesAny(app, path);
    if (!known) await onUnknown(request);
    const document = await readBuildFile(folder, 'index.html');
    return sendDocument(reply.status(known ? 200 : 404), document, choices);
  }
  if (savePreferences(request, reply)) return await reply.redirect(path, 303);
  return sendDocument(
    reply,
    await readBuildFile(folder, `site/${choices.language}/${finished}.html`),
    choices,
  );
}

/** Whether one of the patterns fits, such as `/projects/:id/files/*`. Case is forgiven, as the application does. */
function matchesAny(patterns: string[], path: string): boolean {
  return patterns.some((pattern) => {
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\/:\w+\?/g, '(?:/[^/]+)?')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*/g, '.*');
    return new RegExp(`^${source}$`, 'is').test(path);
  });
}

async function readBuildFile(folder: string, name: string): Promise<string> {
  return await readFile(join(folder, name), 'utf8').catch((error) => {
    throw new AppError('unavailable', 'web_app_not_built', { cause: error });
  });
}

function sendDocument(reply: FastifyReply, document: string, choices: ReaderPreferences): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(
    document
      .replace(/(<html[^>]*? data-theme=)"\w*"/, `$1"${choices.theme}"`)
      .replace(/(<html[^>]*? lang=)"\w*"/, `$1"${choices.language}"`)
      .replace(/(<html[^>]*? data-signed-in=)"\w*"/, `$1"${choices.signedIn ? 'yes' : 'no'}"`),
  );
}
