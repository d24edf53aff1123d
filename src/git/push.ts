import { AppError } from '#contract/errors.ts';
import { isBranchName } from './branch-names.ts';
import { gitFailure } from './failure.ts';
import { type RemoteOptions, withRemote } from './remote.ts';
import { assertOid } from './run.ts';

/** A commit that is to become the head of a branch of the remote. */
interface Push {
  repo: string;
  /** Full hash. */
  commit: string;
  /** Name of the branch on the remote. */
  branch: string;
  /** Replaces a head that is no ancestor, provided that it is this commit (`--force-with-lease`). */
  lease?: string | null;
}

/** Reason for which a remote refused a push. */
type PushRefusal =
  | 'not_permitted'
  | 'credential_required'
  | 'protected_branch'
  | 'hook_declined'
  | 'branch_moved'
  | 'bad_branch_name'
  | 'refused';

/** Outcome of a push; `message` is what the host said, without control characters. */
export type PushResult =
  | { state: 'created' | 'updated' | 'replaced' | 'unchanged'; message: string }
  | { state: 'refused'; reason: PushRefusal; message: string };

/** The remote's default branch, and the head of one of its branches. */
interface RemoteBranch {
  /** Null where HEAD names no branch. */
  defaultBranch: string | null;
  /** Null where there is no such branch. */
  head: string | null;
}

const MAX_MESSAGE = 2000;

/** Reads the head of a branch from the remote. */
export async function readRemoteBranch(options: RemoteOptions & { branch: string }): Promise<RemoteBranch> {
  requireBranchName(options.branch);
  return await withRemote(options, (remote) => remote.readBranch(options.branch));
}

/**
 * Sends a commit to a branch of the remote. Nothing but a fast-forward is sent without a lease. Throws like a fetch where the
 * remote does not answer; what it refuses is a result.
 */
export async function pushCommit(options: RemoteOptions & Push): Promise<PushResult> {
  const { repo, commit, branch, lease = null, credential } = options;
  requireBranchName(branch);
  const ref = `refs/heads/${branch}`;
  const leases = lease === null ? [] : [`--force-with-lease=${ref}:${assertOid(lease)}`];
  const args = ['push', '--porcelain', '--no-verify', '--no-signed', ...leases, '--'];
  const { exitCode, stdout, stderr } = await withRemote(options, (remote) =>
    remote.push(repo, [...args, `${assertOid(commit)}:${ref}`]),
  );
  const secret = credential?.kind === 'token' ? credential.token : null;
  const message = hostMessage(stderr, secret);
  const line = stdout.split('\n').find((text) => /^[ +*=!-]\t/.test(text));
  const state = line && STATES[line[0]!];
  if (state) return { state, message };
  if (line !== undefined) return { state: 'refused', ...explainRejection(line, message) };
  const reason = accessRefusal(stderr);
  if (reason !== null) return { state: 'refused', reason, message };
  const failure = gitFailure({ name: 'push', exitCode, signal: null, stderr, killed: null });
  if (failure.reason !== 'git_failed') throw failure;
  throw new AppError('unavailable', 'push_not_completed', {
    reason: 'push_not_completed',
    cause: failure.cause,
  });
}

const STATES: Record<string, 'created' | 'updated' | 'replaced' | 'unchanged' | undefined> = {
  '*': 'created',
  ' ': 'updated',
  '+': 'replaced',
  '=': 'unchanged',
};

function requireBranchName(name: string): void {
  if (isBranchName(name)) return;
  throw new AppError('bad_request', 'bad_branch_name', { reason: 'invalid_branch_name' });
}

/** Reads `! <tab> commit:ref <tab> [remote rejected] (reason)`. */
function explainRejection(line: string, message: string): { reason: PushRefusal; message: string } {
  const summary = line.split('\t')[2] ?? '';
  const why = /\((.*)\)$/.exec(summary)?.[1] ?? summary;
  const text = message === '' ? why : message;
  return { reason: rejectionReason(`${why}\n${message}`), message: text };
}

const REJECTIONS: [RegExp, PushRefusal][] = [
  [
    /^(?:fetch first|non-fast-forward|stale info|.*cannot lock ref|.*needs force|.*already exists)/,
    'branch_moved',
  ],
  [
    /funny refname|invalid ref(?:name| name)|not a valid (?:branch|ref) name|does not follow the pattern/i,
    'bad_branch_name',
  ],
  [/protected branch|GH006|GH013|branch is currently checked out/i, 'protected_branch'],
  [/denied to|not allowed to push|not permitted|permission/i, 'not_permitted'],
  [/hook declined/, 'hook_declined'],
];

function rejectionReason(text: string): PushRefusal {
  return REJECTIONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'refused';
}

/** A remote that does not let this caller write at all ends the connection instead of rejecting a branch. */
function accessRefusal(stderr: string): PushRefusal | null {
  if (/could not read Username|returned error: 401|Authentication failed/.test(stderr))
    return 'credential_required';
  const denied =
    /returned error: 403|service not enabled|marked as read only|denied to|not allowed to push|[Pp]ermission to .* denied|unable to create temporary object directory|insufficient permission/;
  return denied.test(stderr) ? 'not_permitted' : null;
}

/** Lines that the host wrote: `remote: …`, and `ERROR: …` over ssh. */
function hostMessage(stderr: string, secret: string | null): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => /^(?:remote:|ERROR:) ?(.*)$/.exec(line)?.[1]?.trimEnd())
    .filter((line) => line !== undefined);
  const text = lines
    .join('\n')
    .replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, '')
    .trim();
  return (secret === null ? text : text.replaceAll(secret, '…')).slice(0, MAX_MESSAGE);
}
