import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIX } from '#contract/route.ts';

/** Below this a packet is sent anyway, so that compression gains nothing. */
const MIN_BYTES = 1_024;
const MAX_BYTES = 16 * 2 ** 20;
/** Threads of Node's pool are shared with files and password hashes; further replies are sent as they are. */
const MAX_CONCURRENT = 2;

const TEXT =
  /^(?:text\/(?:html|plain|css|markdown)|application\/(?:json|javascript|manifest\+json)|image\/svg\+xml)\b/;

/**
 * Replies that may hold a secret. A reply is compressed only where a page of another site cannot make a browser ask for it with
 * the reader's rights (BREACH): all other routes need an `Authorization` header, while cookies act below this path alone.
 */
const SECRETS = `${API_PREFIX}/auth/`;

const ENCODINGS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 5 }),
};

/** Compresses documents and JSON on their way out, by Brotli or gzip; files of the build are compressed when built. */
export function compressReplies(app: FastifyInstance): void {
  let running = 0;
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isCompressible(request, reply, payload)) return payload;
    addToVary(reply, 'Accept-Encoding');
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding === null) return payload;
    const bytes = Buffer.from(payload as string | Buffer);
    if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) return payload;
    if (running >= MAX_CONCURRENT) return payload;
    running += 1;
    try {
      const compressed = await ENCODINGS[encoding](bytes);
      reply.header('content-encoding', encoding).removeHeader('content-length');
      return compressed;
    } finally {
      running -= 1;
    }
  });
}

function isCompressible(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  if (reply.hasHeader('content-encoding') || reply.hasHeader('content-range')) return false;
  if (request.url.startsWith(SECRETS)) return false;
  return TEXT.test(String(reply.getHeader('content-type') ?? ''));
}

/** Brotli where accepted, else gzip, else null; `q=0` refuses. */
function chooseEncoding(header: string | string[] | undefined): keyof typeof ENCODINGS | null {
  const accepted = String(header ?? '')
    .toLowerCase()
    .split(',', 20)
    .map((item) => item.trim().split(/\s*;\s*/))
    .filter(([, weight = 'q=1']) => Number(weight.slice(2)) > 0)
    .map(([name]) => name);
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : null;
}

function addToVary(reply: FastifyReply, name: string): void {
  const vary = String(reply.getHeader('vary') ?? '');
  const names = vary.split(',').map((item) => item.trim().toLowerCase());
  if (!names.includes(name.toLowerCase())) reply.header('vary', vary ? `${vary}, ${name}` : name);
}
