import { parsePage, presentList } from './paging.ts';
import { parsePatchOperations } from './patch.ts';
import { resourceNotFound } from './scim-error.ts';
import { clientOf, idOf, readFilter, requireStorableBody, type ScimContext } from './scim-request.ts';
import { createScimUser, removeScimUser, updateScimUser } from './user-changes.ts';
import { findScimUser, listScimUsers } from './user-queries.ts';
import { parseUser, patchUser, presentUser, type ScimUserRow, toScimUser } from './user-resource.ts';

/** Serves `/scim/v2/Users`. */
export function serveScimUsers({ scope, deps, baseUrl }: ScimContext): void {
  const load = async (id: string): Promise<ScimUserRow> => {
    const row = await findScimUser(deps.db, id);
    if (!row) throw resourceNotFound();
    return row;
  };
  const present = async (id: string) => presentUser(await load(id), baseUrl());

  scope.get('/Users', async (request) => {
    const query = request.query as Record<string, unknown>;
    const page = parsePage(query);
    const filter = readFilter(query.filter);
    const { rows, total } = await listScimUsers(deps.db, filter, page);
    return presentList(
      rows.map((row) => presentUser(row, baseUrl())),
      total,
      page,
    );
  });

  scope.get('/Users/:id', async (request) => await present(idOf(request)));

  scope.post('/Users', async (request, reply) => {
    requireStorableBody(request.body);
    const id = await createScimUser(deps, parseUser(request.body), clientOf(request));
    const user = await present(id);
    return reply.status(201).header('location', user.meta.location).send(user);
  });

  scope.put('/Users/:id', async (request) => {
    requireStorableBody(request.body);
    const { id } = await load(idOf(request));
    await updateScimUser(deps, id, parseUser(request.body), clientOf(request));
    return await present(id);
  });

  scope.patch('/Users/:id', async (request) => {
    requireStorableBody(request.body);
    const row = await load(idOf(request));
    const user = patchUser(toScimUser(row), parsePatchOperations(request.body));
    await updateScimUser(deps, row.id, user, clientOf(request));
    return await present(row.id);
  });

  scope.delete('/Users/:id', async (request, reply) => {
    const { id } = await load(idOf(request));
    await removeScimUser(deps, id, clientOf(request));
    return reply.status(204).send();
  });
}
