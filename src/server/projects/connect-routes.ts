import type { FastifyInstance } from 'fastify';
import { connectRoutes } from '#contract/connect.ts';
import { AppError } from '#contract/errors.ts';
import { SAMPLE_NAME, SAMPLE_URL } from '#contract/sample.ts';
import { isMetadataHost, parseRemote } from '#egress/remote-url.ts';
import { withRemote } from '#git/remote.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { parseCredential, toRemoteCredential } from '../project-data/credentials.ts';
import { createProject } from './create-project.ts';
import { CONNECTION_TEST_TIMEOUT_S } from './credential-routes.ts';
import { listHostedRepositories } from './hosted-repositories.ts';
import { listPrivateHosts, setPrivateHost } from './private-hosts.ts';
import { findProjectByUrl, findProjectRow, findProjectsByUrls, presentProject } from './queries.ts';

/** Serves what precedes a project: testing a URL, listing an owner's repositories, the sample, allowed hosts. */
export function registerConnect(app: FastifyInstance, deps: Deps): void {
  serve(app, connectRoutes.check, async ({ caller, body, reply }) => {
    const remote = parseRemote(body.git_url, { ssh: body.credential?.kind === 'ssh' });
    const parsed = parseCredential(remote, body.credential);
    const { git } = deps.config;
    const options = {
      url: remote.href,
      egress: deps.egress,
      limits: { ...git, timeoutS: Math.min(git.timeoutS, CONNECTION_TEST_TIMEOUT_S) },
      credential: parsed && toRemoteCredential(parsed),
    };
    await deps.egress.check(remote);
    const slot = {
      userId: caller.userId,
      deadlineMs: 2 * CONNECTION_TEST_TIMEOUT_S * 1000,
      signal: abortOnDisconnect(reply),
    };
    const { branch } = await deps.queues.gitRemotes.run(slot, (signal) =>
      withRemote({ ...options, signal }, (upstream) => upstream.readHead()),
    );
    return {
      git_url: remote.href,
      name: repositoryName(remote.href),
      branch,
      duplicate_of: await findProjectByUrl(deps.db, caller.userId, remote.href),
    };
  });

  serve(app, connectRoutes.list, async ({ caller, body, reply }) => {
    const { host, owner, page, token, base_url } = body;
    const signal = abortOnDisconnect(reply);
    const request = { host, owner, page, signal, token: token || null, baseUrl: base_url || null };
    const found = await listHostedRepositories(deps.egress, request);
    const urls = found.repositories.map(({ git_url }) => git_url);
    const projects = await findProjectsByUrls(deps.db, caller.userId, urls);
    const repositories = found.repositories.map((repository) => ({
      ...repository,
      project_id: projects.get(repository.git_url) ?? null,
    }));
    return { ...found, repositories };
  });

  serve(app, connectRoutes.sample, async ({ caller, request }) => {
    const known = await findProjectByUrl(deps.db, caller.userId, SAMPLE_URL);
    const row = known && (await findProjectRow(deps.db, known.id));
    if (row) return presentProject(row, 'owner');
    const creator = { userId: caller.userId, client: clientInfo(request) };
    const { duplicate_of: _, ...created } = await createProject(
      deps,
      { name: SAMPLE_NAME, git_url: SAMPLE_URL },
      creator,
    );
    return created;
  });

  serve(app, connectRoutes.hosts, async () => ({ hosts: await listPrivateHosts(deps.db) }));

  serve(app, connectRoutes.allowHost, async ({ caller, body, request }) => {
    if (isMetadataHost(body.host)) {
      const params = { host: body.host };
      throw new AppError('invalid_input', 'metadata_address', {
        params,
        fields: { host: { key: 'metadata_address', params } },
      });
    }
    if (await setPrivateHost(deps.db, body.host, { allowed: true })) {
      const event = { userId: caller.userId, event: 'host_allowed', detail: { host: body.host } } as const;
      await recordAuditEvent(deps.db, { ...event, ...clientInfo(request) });
    }
    return { ok: true as const };
  });

  serve(app, connectRoutes.disallowHost, async ({ caller, params, request }) => {
    if (!(await setPrivateHost(deps.db, params.host, { allowed: false })))
      throw new AppError('not_found', 'host_not_allowed_yet', { params: { host: params.host } });
    const event = { userId: caller.userId, event: 'host_blocked', detail: { host: params.host } } as const;
    await recordAuditEvent(deps.db, { ...event, ...clientInfo(request) });
    return { ok: true as const };
  });
}

/** Last segment of a URL without `.git`. */
function repositoryName(href: string): string {
  const last = href.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? href;
  return last.replace(/\.git$/, '').slice(0, 100) || href.slice(0, 100);
}
