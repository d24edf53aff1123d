import {
  createScimGroup,
  deleteScimGroup,
  findScimGroup,
  listScimGroups,
  loadGroupMembers,
  updateScimGroup,
} from './group-queries.ts';
import { parseGroup, parseGroupChange, presentGroup } from './group-resource.ts';
import { parsePage, presentList } from './paging.ts';
import { parsePatchOperations } from './patch.ts';
import { clientOf, idOf, readFilter, requireStorableBody, type ScimContext } from './scim-request.ts';

/** Serves `/scim/v2/Groups`: the teams of the server. */
export function serveScimGroups({ scope, deps, baseUrl }: ScimContext): void {
  const present = async (id: string) => {
    const row = await findScimGroup(deps.db, id);
    const members = await loadGroupMembers(deps.db, [id]);
    return presentGroup(row, members.get(id) ?? [], baseUrl());
  };

  scope.get('/Groups', async (request) => {
    const query = request.query as Record<string, unknown>;
    const page = parsePage(query);
    const { rows, total } = await listScimGroups(deps.db, readFilter(query.filter), page);
    // Directories exclude the members when they look for a group by its name.
    const isShort = query.excludedAttributes === 'members';
    const members = isShort
      ? null
      : await loadGroupMembers(
          deps.db,
          rows.map(({ id }) => id),
        );
    const resources = rows.map((row) => presentGroup(row, members && (members.get(row.id) ?? []), baseUrl()));
    return presentList(resources, total, page);
  });

  scope.get('/Groups/:id', async (request) => await present(idOf(request)));

  scope.post('/Groups', async (request, reply) => {
    requireStorableBody(request.body);
    const id = await createScimGroup(deps, parseGroup(request.body), clientOf(request));
    const group = await present(id);
    return reply.status(201).header('location', group.meta.location).send(group);
  });

  scope.put('/Groups/:id', async (request) => {
    requireStorableBody(request.body);
    const { displayName, externalId, members } = parseGroup(request.body);
    const change = { displayName, externalId, replaced: members, added: [], removed: [] };
    await updateScimGroup(deps, idOf(request), change, clientOf(request));
    return await present(idOf(request));
  });

  scope.patch('/Groups/:id', async (request) => {
    requireStorableBody(request.body);
    const change = parseGroupChange(parsePatchOperations(request.body));
    await updateScimGroup(deps, idOf(request), change, clientOf(request));
    return await present(idOf(request));
  });

  scope.delete('/Groups/:id', async (request, reply) => {
    await deleteScimGroup(deps, idOf(request), clientOf(request));
    return reply.status(204).send();
  });
}
