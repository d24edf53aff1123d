import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { isFeatureEnabled } from '../identity/feature-switches.ts';
import { type ReaderPreferences, readPreferences, savePreferences } from '../identity/reader-preferences.ts';
import { consumeIpLimit } from '../rate-limit/rate-limiter.ts';
import { DOC_SEARCH_PATH, fillDocSearch, type SearchableSection } from './doc-search.ts';
import { isPageRoute, pagePath } from './matched-route.ts';

/** Output folder of the web build. */
export const WEB_FOLDER = fileURLToPath(new URL('../../../dist/web', import.meta.url));

/** File names in this folder contain a content hash, so that they can be cached forever. */
const HASHED_ASSETS = '/assets/';

/** Package of the command line, which is asked for by one URL in all versions. */
const CLI_FOLDER = '/cli/';

/** Prerendered pages, served only at their public paths. */
const SITE_FOLDER = '/site/';

type PageDeps = Pick<Deps, 'db' | 'now' | 'config'>;

/** Values of the attributes of a document. */
interface DocumentSettings extends ReaderPreferences {
  /** True when limits of plans apply. */
  billing: boolean;
}

/** Paths without a page or file that a file system might normalize to another. */
const AMBIGUOUS_PATH = /[\\\p{Cc}]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/u;

/** Paths in the build, with what their documents ask for early. */
interface SitePages {
  /** Pattern of a page of the application → its scripts beside the entry, and its namespaces of texts. */
  app: Record<string, { scripts: string[]; texts: string[] }>;
  /** Language → namespace → file of its texts. */
  texts: Record<string, Record<string, string>>;
  /** Path of a prerendered page → its name. */
  site: Record<string, string>;
}

/**
 * Serves the web app: its files, its prerendered pages, and its single document at every path of the application. Unknown
 * paths get the same document with status 404. Documents contain the reader's theme and language, which avoids a flash.
 */
export async function servePages(app: FastifyInstance, deps: PageDeps, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    cacheControl: false,
    preCompressed: true,
    allowedPath: (path) => !path.startsWith(SITE_FOLDER),
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(folder, HASHED_ASSETS));
      const packaged = path.startsWith(join(folder, CLI_FOLDER));
      reply.header(
        'cache-control',
        hashed ? 'public, max-age=31536000, immutable' : packaged ? 'no-cache' : 'public, max-age=3600',
      );
    },
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!isPageRoute(request) || !AMBIGUOUS_PATH.test(pagePath(request))) return;
    reply.callNotFound();
    return reply;
  });
  const onNotFound = (request: FastifyRequest) => consumeIpLimit(deps, request.ip);
  const send = (request: FastifyRequest, reply: FastifyReply) => sendPage(deps, folder, request, reply);
  // Paths below these are neither pages nor files.
  for (const url of [`${API_PREFIX}/*`, '/ws/*']) app.all(url, (_request, reply) => reply.callNotFound());
  // The plugin refuses to serve the folder itself.
  app.get('/', send);
  app.setNotFoundHandler(async (request, reply) => {
    if (acceptsPage(request)) return await send(request, reply);
    if (isPageRoute(request)) await onNotFound(request);
    throw new AppError('not_found', 'page_not_found');
  });
}

function acceptsPage(request: FastifyRequest): boolean {
  if (!isPageRoute(request)) return false;
  const path = pagePath(request);
  if ([HASHED_ASSETS, SITE_FOLDER].some((prefix) => path.startsWith(prefix))) return false;
  return /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*');
}

/** Sends the page at a path, or the application with status 404, which counts against the IP address. */
async function sendPage(
  deps: PageDeps,
  folder: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Read on every request, since a build may replace it while the server runs.
  const { app, texts, site } = JSON.parse(await readBuildFile(folder, 'site/paths.json')) as SitePages;
  const path = pagePath(request).replace(/(?<=[^/])\/+$/, '');
  const preferences = readPreferences(request);
  const settings = { ...preferences, billing: deps.config.razorpay !== null };
  const prerendered =
    Object.hasOwn(site, path) && !(path === '/' && preferences.signedIn) ? site[path] : undefined;
  reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Language, Cookie' });
  if (prerendered === undefined) {
    const known = Object.keys(app).find((pattern) => matches(pattern, path));
    if (known === undefined) await consumeIpLimit(deps, request.ip);
    const { scripts, texts: namespaces } = (known && app[known]) || { scripts: [], texts: [] };
    const ofLanguage = texts[preferences.language] ?? {};
    const preloads =
      scripts.map((script) => `<link rel="modulepreload" crossorigin href="${script}">`).join('') +
      namespaces
        .flatMap((name) => ofLanguage[name] ?? [])
        .map((file) => `<link rel="preload" as="fetch" crossorigin href="${file}">`)
        .join('');
    const document = await readBuildFile(folder, `site/${preferences.language}/app.html`);
    reply.status(known === undefined ? 404 : 200);
    return sendDocument(
      reply,
      document.replace('</head>', () => `${preloads}</head>`),
      settings,
    );
  }
  if (path === '/' && !(await isFeatureEnabled(deps, 'landing'))) return await reply.redirect('/login', 302);
  if (savePreferences(request, reply)) return await reply.redirect(path, 303);
  const document = await readBuildFile(folder, `site/${preferences.language}/${prerendered}.html`);
  return sendDocument(
    reply,
    path === DOC_SEARCH_PATH ? await answerDocSearch(folder, request, document) : document,
    settings,
  );
}

/** Inserts the results of the query `q` into the prerendered page of the documentation's search. */
async function answerDocSearch(folder: string, request: FastifyRequest, document: string): Promise<string> {
  const { q } = request.query as { q?: unknown };
  const sections = JSON.parse(await readBuildFile(folder, 'site/doc-sections.json')) as Record<
    string,
    SearchableSection[]
  >;
  const { language } = readPreferences(request);
  return fillDocSearch(document, typeof q === 'string' ? q : '', sections[language] ?? []);
}

/**
 * True when a path matches a pattern such as `/projects/:id/files/*`, ignoring case as the application does; `*` may be empty,
 * without its slash.
 */
function matches(pattern: string, path: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\/:\w+\?/g, '(?:/[^/]+)?')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\/\*/g, '(?:/.*)?');
  return new RegExp(`^${source}$`, 'is').test(path);
}

async function readBuildFile(folder: string, name: string): Promise<string> {
  return await readFile(join(folder, name), 'utf8').catch((error) => {
    throw new AppError('unavailable', 'web_app_not_built', { cause: error });
  });
}

function sendDocument(reply: FastifyReply, document: string, settings: DocumentSettings): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(
    document
      .replace(/(<html[^>]*? data-theme=)"\w*"/, `$1"${settings.theme}"`)
      .replace(/(<html[^>]*? lang=)"\w*"/, `$1"${settings.language}"`)
      .replace(/(<html[^>]*? data-sidebar=)"\w*"/, `$1"${settings.sidebar}"`)
      .replace(/(<html[^>]*? data-billing=)"\w*"/, `$1"${settings.billing ? 'on' : 'off'}"`)
      .replace(/(<html[^>]*? data-signed-in=)"\w*"/, `$1"${settings.signedIn ? 'yes' : 'no'}"`),
  );
}
