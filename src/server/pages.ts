import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { API_PREFIX } from '#contract/route.ts';
import { NOTHING_HERE } from './errors.ts';

/** Where the build puts the web app. */
export const WEB_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** Names in this folder carry a hash of the content, so a copy stays good for ever. */
const HASHED = '/assets/';

const CHOICES = {
  theme: ['light', 'dark', 'system'],
  language: ['en', 'es', 'fr', 'de'],
};

/**
 * Serves the web app: its files, and its one document at every address that belongs to no file and no call. The
 * document leaves with the reader's theme and language already set, so that the first paint is the right one.
 */
export async function servePages(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(folder, HASHED));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
  // The folder itself is a directory to the plugin, which it forbids to list.
  app.get('/', async (request, reply) => await sendDocument(folder, request, reply));
  app.setNotFoundHandler(async (request, reply) => {
    if (!isPage(request)) throw new AppError('not_found', NOTHING_HERE);
    return await sendDocument(folder, request, reply);
  });
}

function isPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if ([`${API_PREFIX}/`, '/ws/', HASHED].some((prefix) => url.startsWith(prefix))) return false;
  return /text\/html|\*\/\*/.test(headers.accept ?? '*/*');
}

async function sendDocument(
  folder: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const document = await readFile(join(folder, 'index.html'), 'utf8').catch((error) => {
    throw new AppError('unavailable', 'The web app has not been built yet.', { cause: error });
  });
  const theme = chosen(request, 'theme');
  const language = chosen(request, 'language');
  return reply
    .status(200)
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-cache', vary: 'Accept, Cookie' })
    .send(
      document
        .replace(/(<html[^>]*? data-theme=)"\w*"/, theme ? `$1"${theme}"` : '$&')
        .replace(/(<html[^>]*? lang=)"\w*"/, language ? `$1"${language}"` : '$&'),
    );
}

function chosen(request: FastifyRequest, name: keyof typeof CHOICES): string | undefined {
  return CHOICES[name].find((value) => value === request.cookies[name]);
}
