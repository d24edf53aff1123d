import { readFile } from 'node:fs/promises';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#contract/route.ts';
import { openApi } from './openapi.ts';

/** Scripts are files of this server; styles are also set from script. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const MARK = new URL('../../web/public/mark.svg', import.meta.url);

/** Builds the description when it is first serialized, which a start does not wait for. */
function lazyDocument(): { toJSON(): object } {
  let document: object | undefined;
  return {
    toJSON: () => {
      document ??= openApi();
      return document;
    },
  };
}

/** Serves the OpenAPI description and the page that shows it, at `/api/docs`. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, { mode: 'static', specification: { document: lazyDocument() as never } });
  const mark = await readFile(MARK);
  await app.register(swaggerUi, {
    routePrefix: `${API_PREFIX}/docs`,
    staticCSP: POLICY,
    logo: { type: 'image/svg+xml', content: mark, href: '/', target: '_self' },
    theme: {
      title: 'Hindsight API',
      favicon: [{ filename: 'mark.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: mark }],
    },
  });
}
