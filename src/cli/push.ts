import { setTimeout as sleep } from 'node:timers/promises';
import {
  type PullRequest,
  type Push,
  type PushPreview,
  pullRequestRoutes,
  pushRoutes,
} from '#contract/branches.ts';
import { callRoute, type Remote } from './remote.ts';

interface PushRequest {
  branch: string;
  target: string;
  commits?: string[] | undefined;
}

const POLL_INTERVAL_MS = 500;

/** Asks what a push would send. */
export async function previewPush(
  remote: Remote,
  project: string,
  body: PushRequest,
  signal: AbortSignal,
): Promise<PushPreview> {
  return await callRoute(remote, pushRoutes.preview, { params: { id: project }, body }, signal);
}

/** Pushes and waits for the end. */
export async function pushBranch(
  remote: Remote,
  project: string,
  body: PushRequest & { expected: string | null },
  signal: AbortSignal,
): Promise<Push> {
  let push = await callRoute(remote, pushRoutes.create, { params: { id: project }, body }, signal);
  while (push.state === 'queued' || push.state === 'running') {
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
    push = await callRoute(remote, pushRoutes.get, { params: { id: project, push: push.id } }, signal);
  }
  return push;
}

/** Opens a pull request with the drafted text; `title` replaces the drafted one. */
export async function openPullRequest(
  remote: Remote,
  project: string,
  request: { branch: string; target?: string | undefined; title?: string | undefined; draft: boolean },
  signal: AbortSignal,
): Promise<PullRequest> {
  const { branch, draft } = request;
  const params = { id: project };
  const drafted = await callRoute(
    remote,
    pullRequestRoutes.draft,
    { params, body: { branch, target: request.target } },
    signal,
  );
  const body = {
    branch,
    target: drafted.target,
    title: request.title ?? drafted.title,
    body: drafted.body,
    draft,
  };
  return await callRoute(remote, pullRequestRoutes.create, { params, body }, signal);
}

/** Preview of a push (commits, files, target, account) as lines for a terminal. */
export function describePush({
  url,
  target,
  remote_head,
  credential,
  commits,
  files,
  file_count,
}: PushPreview): string {
  const as =
    credential.kind === 'anonymous' ? 'without a credential' : `as ${credential.name ?? credential.kind}`;
  return [
    `${url} ${target} (${remote_head === null ? 'new branch' : `now at ${remote_head.slice(0, 7)}`}), ${as}`,
    ...commits.map(({ hash, message }) => `  ${hash.slice(0, 7)} ${message}`),
    ...files.map(({ path, additions, deletions }) =>
      additions === null ? `  ${path} (binary)` : `  ${path} +${additions} -${deletions}`,
    ),
    ...(file_count > files.length ? [`  and ${file_count - files.length} more files`] : []),
  ].join('\n');
}
