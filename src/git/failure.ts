import { AppError, type ErrorCode, type ErrorKey } from '#contract/errors.ts';

/** Exit of a git process, for its error message. */
interface GitExit {
  name: string;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** Reason that the process was killed, if it was. */
  killed: 'timed_out' | 'stalled' | 'stopped' | 'output_too_large' | null;
}

/** Pattern of git's stderr → code, reason and message. The first match applies. */
const FAILURES: [RegExp, ErrorCode, string, ErrorKey][] = [
  [/failed to execute git|spawn \S+ ENOENT/, 'unavailable', 'git_not_installed', 'git_not_installed'],
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/,
    'bad_request',
    'host_key_changed',
    'ssh_host_key_changed',
  ],
  [
    /Permission denied \(|Too many authentication failures|Load key .*: /,
    'bad_request',
    'ssh_key_rejected',
    'ssh_key_refused',
  ],
  [
    /ERROR: Repository not found|does not appear to be a git repository/,
    'bad_request',
    'not_found_or_private',
    'repository_not_found',
  ],
  [/detected dubious ownership/, 'bad_request', 'dubious_ownership', 'folder_owned_by_other_user'],
  [/cannot run ssh|ssh: not found/, 'unavailable', 'ssh_not_installed', 'ssh_not_installed'],
  [
    /Authentication failed|could not read Username|repository .* not found|returned error: 40[134]|returned error: 410/i,
    'bad_request',
    'not_found_or_private',
    'repository_not_found',
  ],
  [
    /SSL certificate|certificate (?:verify|problem)|server certificate|TLS|SSL/,
    'bad_request',
    'invalid_certificate',
    'bad_certificate',
  ],
  [/fatal: (?:command line|-e option), /, 'bad_request', 'invalid_pattern', 'bad_pattern'],
  [/transport '.*' not allowed/, 'bad_request', 'protocol_not_allowed', 'git_protocol_not_allowed'],
  [
    /unable to update url base from redirection|returned error: 30\d|Maximum .* redirects/i,
    'bad_request',
    'redirected',
    'redirected',
  ],
  [/Operation too slow|timed out|Timeout was reached/i, 'unavailable', 'timed_out', 'git_server_timed_out'],
  [/Read-only file system/, 'unavailable', 'disk_read_only', 'disk_read_only'],
  [/No space left on device|Disk quota exceeded/, 'storage_full', 'storage_full', 'server_storage_full'],
  [
    /File too large|Out of memory|Cannot allocate memory|memory exhausted|unable to mmap|SIGXFSZ|died of signal 25/i,
    'too_large',
    'too_large',
    'repository_too_large',
  ],
  [/promisor remote|lazy fetching disabled/, 'bad_request', 'partial_clone', 'repository_is_partial'],
  [
    /fsck error|bad object|is corrupt|corrupt (?:loose|packed)|inflate|invalid index-pack|index-pack (?:died|failed)|missing (?:blob|tree|commit)|did not match (?:its )?checksum|hash mismatch|unable to read (?:tree|sha1|[0-9a-f]{40})/i,
    'unavailable',
    'corrupt',
    'repository_corrupt',
  ],
  [
    /Could not resolve|Failed to connect|Connection (?:refused|reset)|early EOF|unexpected disconnect|Empty reply|hung up|Recv failure|unable to access|CONNECT tunnel|kex_exchange_identification|banner exchange|Connection closed by|Could not read from remote repository|Proxy|RPC failed|not valid: is this a git repository/i,
    'unavailable',
    'unreachable',
    'git_server_unreachable',
  ],
];

const MISSING_PATH = /no such path|has only \d+ lines?|does not exist in|exists on disk, but not in/;

/** True when git failed only because the path or the line does not exist. */
export function isMissingPath(stderr: string): boolean {
  return MISSING_PATH.test(stderr);
}

/** Reason that a signal ends git for: `timed_out` where it is one of `AbortSignal.timeout`. */
export function abortCause(signal: AbortSignal): 'timed_out' | 'stopped' {
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    ? 'timed_out'
    : 'stopped';
}

/** The one translation of a failed git child into an error for people; the details stay in `cause`. */
export function gitFailure(end: GitExit): AppError {
  const cause = new Error(
    `git ${end.name} ended with ${end.signal ?? `code ${end.exitCode}`}: ${end.stderr.slice(-2000)}`,
  );
  const failure = (code: ErrorCode, reason: string, messageKey: ErrorKey) =>
    new AppError(code, messageKey, { reason, cause });

  if (end.killed === 'timed_out') {
    return failure('unavailable', 'timed_out', 'repository_read_timed_out');
  }
  if (end.killed === 'stalled') {
    return failure('unavailable', 'stalled', 'repository_read_timed_out');
  }
  if (end.killed === 'stopped') {
    return failure('unavailable', 'stopped', 'repository_read_stopped');
  }
  if (end.killed === 'output_too_large') {
    return failure('too_large', 'too_large', 'git_output_too_large');
  }
  if (end.signal === 'SIGXFSZ') {
    return failure('too_large', 'too_large', 'repository_too_large');
  }
  if (end.signal === 'SIGXCPU') {
    return failure('unavailable', 'timed_out', 'repository_read_timed_out');
  }
  for (const [pattern, code, reason, messageKey] of FAILURES) {
    if (pattern.test(end.stderr)) {
      return failure(code, reason, messageKey);
    }
  }
  return failure('unavailable', 'git_failed', 'git_failed');
}
