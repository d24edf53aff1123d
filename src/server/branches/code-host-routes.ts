import type { FastifyInstance } from 'fastify';
import { type CodeHost, codeHostRoutes } from '#contract/code-hosts.ts';
import { AppError } from '#contract/errors.ts';
import { parseWebUrl } from '#egress/send-message.ts';
import { findCodeHost, findStoredCodeHost, sealToken } from '../code-hosts/code-host.ts';
import { defaultApiUrl, parseHostRepository } from '../code-hosts/host-url.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { isSameRemote } from '../project-data/credentials.ts';

/** Registers the `codeHosts` routes. The token of a host is stored encrypted and never returned. */
export function registerCodeHosts(app: FastifyInstance, deps: Deps): void {
  serve(app, codeHostRoutes.get, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    const found = await findCodeHost(deps, project);
    return { code_host: found && present(found), is_stored: found?.isStored ?? false };
  });

  serve(app, codeHostRoutes.save, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const repository = parseHostRepository(project.git_url);
    if (repository === null)
      throw new AppError('bad_request', 'push_local_folder', { reason: 'local_folder' });
    const apiUrl = (body.api_url || defaultApiUrl(body.kind, repository.host, repository.origin)).replace(
      /\/+$/,
      '',
    );
    await deps.egress.check(parseWebUrl(apiUrl));
    const stored = await findStoredCodeHost(deps.db, project.id);
    const isSame = stored?.api_url === apiUrl && isSameRemote(stored.git_url, project.git_url);
    const values = {
      kind: body.kind,
      api_url: apiUrl,
      git_url: project.git_url,
      // A token never follows to another host.
      sealed_token: body.token
        ? sealToken(deps, project.id, body.token)
        : isSame
          ? stored.sealed_token
          : null,
      created_by: caller.userId,
      created_at: deps.now(),
    };
    await deps.db
      .insertInto('code_hosts')
      .values({ project_id: project.id, ...values })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
      .execute();
    const detail = { project: project.name, host: new URL(apiUrl).host };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'code_host_saved',
      detail,
      ...clientInfo(request),
    });
    return { code_host: present((await findCodeHost(deps, project))!) };
  });

  serve(app, codeHostRoutes.remove, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    await deps.db.deleteFrom('code_hosts').where('project_id', '=', project.id).execute();
    const detail = { project: project.name };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'code_host_removed',
      detail,
      ...clientInfo(request),
    });
    return { ok: true as const };
  });
}

function present({
  kind,
  apiUrl,
  sealedToken,
  isUsable,
}: NonNullable<Awaited<ReturnType<typeof findCodeHost>>>): CodeHost {
  return {
    kind,
    api_url: apiUrl,
    has_token: sealedToken !== null && isUsable,
    token_unusable: sealedToken !== null && !isUsable,
  };
}
