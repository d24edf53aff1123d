import type { operations } from '@octokit/openapi-types';
import { z } from 'zod';
import type { PullRequestState } from '#contract/branches.ts';
import { callHost, type HostAccess } from '../code-hosts/host-request.ts';
import type { Deps } from '../deps.ts';

/** A pull or merge request to be opened. */
interface NewRequest {
  branch: string;
  target: string;
  title: string;
  body: string;
  draft: boolean;
}

/** A pull or merge request as its host has it. */
export interface HostPullRequest {
  number: number;
  url: string;
  title: string;
  state: PullRequestState;
  /** Newest commit; null while the host works on it. */
  head: string | null;
  mergeCommit: string | null;
}

/** Result of the checks of a commit; null where there are none. */
type Checks = 'pending' | 'passed' | 'failed' | null;

/** Calls to a code host. Each is one request, except the checks of GitHub. */
interface HostApi {
  /** The open request for two branches; null where there is none. */
  findOpen(branches: Pick<NewRequest, 'branch' | 'target'>): Promise<HostPullRequest | null>;
  open(request: NewRequest): Promise<HostPullRequest>;
  get(number: number): Promise<HostPullRequest>;
  readChecks(request: HostPullRequest): Promise<Checks>;
}

type HostDeps = Pick<Deps, 'db' | 'config' | 'egress' | 'now'>;

/** Opens the API of a code host for one repository. */
export function openHostApi(deps: HostDeps, access: HostAccess): HostApi {
  if (access.kind === 'gitlab') return gitlabApi(deps, access);
  return access.kind === 'gitea' ? giteaApi(deps, access) : githubApi(deps, access);
}

const text = z.string().max(1000);
const hash = z.string().max(64).nullish();
const number = z.int().positive();

const githubPull = z.object({
  number,
  html_url: text,
  title: text,
  state: z.enum(['open', 'closed']),
  merged_at: text.nullish(),
  merge_commit_sha: hash,
  head: z.object({ sha: hash, ref: text }),
  base: z.object({ ref: text }),
});

function fromPull(pull: z.infer<typeof githubPull>, isMerged: boolean): HostPullRequest {
  const state = isMerged ? 'merged' : pull.state;
  return {
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    state,
    head: pull.head.sha ?? null,
    // Of an open request it is a trial merge.
    mergeCommit: isMerged ? (pull.merge_commit_sha ?? null) : null,
  };
}

const commitStatus = z.object({ state: text, total_count: z.number().nullish() });
const checkRuns = z.object({
  check_runs: z.array(z.object({ status: text, conclusion: text.nullish() })).max(100),
});
const PASSED = ['success', 'neutral', 'skipped'];

/** Published requests of GitHub. */
type ListPulls = NonNullable<operations['pulls/list']['parameters']['query']>;
type CreatePull = operations['pulls/create']['requestBody']['content']['application/json'];

/** https://docs.github.com/rest/pulls/pulls, also of GitHub Enterprise. */
function githubApi(deps: HostDeps, access: HostAccess): HostApi {
  const base = `/repos/${encodePath(access.path)}`;
  const [owner = ''] = access.path.split('/');
  const present = (pull: z.infer<typeof githubPull>) => fromPull(pull, Boolean(pull.merged_at));
  return {
    async findOpen({ branch, target }) {
      const wanted = { state: 'open', head: `${owner}:${branch}`, base: target } satisfies ListPulls;
      const query = new URLSearchParams({ ...wanted, per_page: '10' });
      const request = { method: 'GET' as const, path: `${base}/pulls?${query}` };
      const found = await callHost(deps, access, request, z.array(githubPull).max(100));
      const pull = found.find(({ head, base }) => head.ref === branch && base.ref === target);
      return pull ? present(pull) : null;
    },
    async open({ branch, target, title, body, draft }) {
      const request = { title, body, head: branch, base: target, draft } satisfies CreatePull;
      return present(
        await callHost(deps, access, { method: 'POST', path: `${base}/pulls`, body: request }, githubPull),
      );
    },
    async get(id) {
      return present(
        await callHost(deps, access, { method: 'GET', path: `${base}/pulls/${id}` }, githubPull),
      );
    },
    async readChecks({ head }) {
      if (head === null) return null;
      const get = { method: 'GET' as const, path: `${base}/commits/${head}` };
      const { check_runs } = await callHost(
        deps,
        access,
        { ...get, path: `${get.path}/check-runs?per_page=100` },
        checkRuns,
      );
      const status = await callHost(deps, access, { ...get, path: `${get.path}/status` }, commitStatus);
      const results = check_runs.map(
        ({ status, conclusion }): Checks =>
          status !== 'completed' ? 'pending' : PASSED.includes(conclusion ?? '') ? 'passed' : 'failed',
      );
      return combine(status.total_count ? [...results, toChecks(status.state)] : results);
    },
  };
}

/** https://gitea.com/api/swagger, also of Forgejo. */
function giteaApi(deps: HostDeps, access: HostAccess): HostApi {
  const base = `/repos/${encodePath(access.path)}`;
  const pullReply = githubPull.extend({ merged: z.boolean().nullish() });
  const present = (pull: z.infer<typeof pullReply>) => fromPull(pull, pull.merged === true);
  return {
    async findOpen({ branch, target }) {
      const request = { method: 'GET' as const, path: `${base}/pulls?state=open&sort=recentupdate&limit=50` };
      const found = await callHost(deps, access, request, z.array(pullReply).max(100));
      const pull = found.find(({ head, base }) => head.ref === branch && base.ref === target);
      return pull ? present(pull) : null;
    },
    async open({ branch, target, title, body, draft }) {
      const request = { title: draft ? `WIP: ${title}` : title, body, head: branch, base: target };
      return present(
        await callHost(deps, access, { method: 'POST', path: `${base}/pulls`, body: request }, pullReply),
      );
    },
    async get(id) {
      return present(await callHost(deps, access, { method: 'GET', path: `${base}/pulls/${id}` }, pullReply));
    },
    async readChecks({ head }) {
      if (head === null) return null;
      const request = { method: 'GET' as const, path: `${base}/commits/${head}/status` };
      const status = await callHost(deps, access, request, commitStatus);
      return status.total_count ? toChecks(status.state) : null;
    },
  };
}

const mergeRequest = z.object({
  iid: number,
  web_url: text,
  title: text,
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  sha: hash,
  merge_commit_sha: hash,
  squash_commit_sha: hash,
  head_pipeline: z.object({ status: text }).nullish(),
});

/** https://docs.gitlab.com/api/merge_requests/ */
function gitlabApi(deps: HostDeps, access: HostAccess): HostApi {
  const base = `/projects/${encodeURIComponent(access.path)}/merge_requests`;
  const present = (found: z.infer<typeof mergeRequest>): HostPullRequest => ({
    number: found.iid,
    url: found.web_url,
    title: found.title,
    state: found.state === 'merged' ? 'merged' : found.state === 'closed' ? 'closed' : 'open',
    head: found.sha ?? null,
    mergeCommit:
      found.state === 'merged'
        ? (found.merge_commit_sha ?? found.squash_commit_sha ?? found.sha ?? null)
        : null,
  });
  const get = (id: number) => callHost(deps, access, { method: 'GET', path: `${base}/${id}` }, mergeRequest);
  return {
    async findOpen({ branch, target }) {
      const query = new URLSearchParams({ state: 'opened', source_branch: branch, target_branch: target });
      const request = { method: 'GET' as const, path: `${base}?${query}` };
      const [found] = await callHost(deps, access, request, z.array(mergeRequest).max(100));
      return found ? present(found) : null;
    },
    async open({ branch, target, title, body, draft }) {
      const request = {
        source_branch: branch,
        target_branch: target,
        title: draft ? `Draft: ${title}` : title,
        description: body,
      };
      return present(
        await callHost(deps, access, { method: 'POST', path: base, body: request }, mergeRequest),
      );
    },
    get: async (id) => present(await get(id)),
    async readChecks({ number: id }) {
      const { head_pipeline } = await get(id);
      return head_pipeline ? toChecks(head_pipeline.status) : null;
    },
  };
}

/** Words of the hosts for the result of checks. */
function toChecks(state: string): Checks {
  if (['success', 'passed', 'skipped', 'manual', 'warning'].includes(state)) return 'passed';
  return ['failure', 'failed', 'error', 'canceled'].includes(state) ? 'failed' : 'pending';
}

function combine(results: Checks[]): Checks {
  if (results.includes('failed')) return 'failed';
  if (results.includes('pending')) return 'pending';
  return results.includes('passed') ? 'passed' : null;
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
