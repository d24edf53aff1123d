import type { InjectOptions } from 'fastify';
import { scimTokenRoutes } from '#contract/scim.ts';
import type { TestApp, TestUser } from '../testing.ts';

/** Reply of a SCIM call; what it holds depends on the call. */
interface ScimReply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the attributes that they expect.
  body: any;
  headers: Record<string, unknown>;
}

/** Calls `/scim/v2` with a token. */
export type ScimCall = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => Promise<ScimReply>;

/** Creates a token and returns the client of a directory. */
export async function scimClient(server: TestApp, admin: TestUser): Promise<ScimCall> {
  const { body } = await server.call(scimTokenRoutes.create, { body: { name: 'Directory' } }, admin);
  return async (method, path, payload) => {
    const request: InjectOptions = {
      method,
      url: `/scim/v2${path}`,
      headers: { authorization: `Bearer ${body.token}`, 'content-type': 'application/scim+json' },
      ...(payload && { payload: JSON.stringify(payload) }),
    };
    const reply = await server.inject(request);
    return {
      status: reply.statusCode,
      body: reply.body === '' ? null : reply.json(),
      headers: reply.headers,
    };
  };
}

/** A PatchOp message. */
export function patchOp(...Operations: object[]): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations };
}
