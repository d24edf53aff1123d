import { AppError, type AppErrorOptions, type ErrorCode } from '#contract/errors.ts';

/** How a git child ended, as far as is needed to say it in words. */
export interface GitEnd {
  name: string;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** Why we killed it, when we did. */
  killed: 'timed_out' | 'stalled' | 'stopped' | 'too_much_output' | null;
}

/** What git says on stderr → code, reason and the sentence for people. The first match counts. */
const MESSAGES: [RegExp, ErrorCode, string, string][] = [
  [/failed to execute git|spawn \S+ ENOENT/, 'unavailable', 'no_git', 'Git is not installed on this server.'],
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/,
    'bad_request',
    'host_key_changed',
    'The git server shows another host key than before. If that is right, save the project’s key again.',
  ],
  [
    /Permission denied \(|Too many authentication failures|Load key .*: /,
    'bad_request',
    'key_refused',
    'The git server does not accept this project’s key. Add its public half there, with the right to read.',
  ],
  [
    /ERROR: Repository not found|does not appear to be a git repository/,
    'bad_request',
    'not_found_or_private',
    'There is no repository at this address, or it is private.',
  ],
  [
    /detected dubious ownership/,
    'bad_request',
    'foreign_folder',
    'This folder belongs to another user of this machine, so git does not read it.',
  ],
  [
    /cannot run ssh|ssh: not found/,
    'unavailable',
    'no_ssh',
    'The program ssh is not installed on this server.',
  ],
  [
    /Authentication failed|could not read Username|repository .* not found|returned error: 40[134]|returned error: 410/i,
    'bad_request',
    'not_found_or_private',
    'There is no repository at this address, or it is private.',
  ],
  [
    /SSL certificate|certificate (?:verify|problem)|server certificate|TLS|SSL/,
    'bad_request',
    'bad_certificate',
    'The certificate of the git server could not be verified.',
  ],
  [
    /fatal: (?:command line|-e option), /,
    'bad_request',
    'bad_pattern',
    'This is not a regular expression that git understands.',
  ],
  [
    /transport '.*' not allowed/,
    'bad_request',
    'address_not_allowed',
    'Repositories can only be reached by https, or by ssh with a key.',
  ],
  [
    /unable to update url base from redirection|returned error: 30\d|Maximum .* redirects/i,
    'bad_request',
    'redirected',
    'The git server redirects to another address. Connect that address instead.',
  ],
  [
    /Operation too slow|timed out|Timeout was reached/i,
    'unavailable',
    'timed_out',
    'The git server took too long to answer.',
  ],
  [
    /No space left on device|Disk quota exceeded/,
    'storage_full',
    'storage_full',
    'The storage of this server is full.',
  ],
  [
    /File too large|Out of memory|Cannot allocate memory|memory exhausted|unable to mmap|SIGXFSZ|died of signal 25/i,
    'too_large',
    'too_large',
    'The repository is larger than this server allows.',
  ],
  [
    /fsck error|bad object|is corrupt|corrupt (?:loose|packed)|inflate|invalid index-pack|index-pack (?:died|failed)|missing (?:blob|tree|commit)|did not match (?:its )?checksum|hash mismatch|unable to read (?:tree|sha1|[0-9a-f]{40})/i,
    'unavailable',
    'corrupt',
    'The repository is damaged: git could not read all of its objects.',
  ],
  [
    /Could not resolve|Failed to connect|Connection (?:refused|reset)|early EOF|unexpected disconnect|Empty reply|hung up|Recv failure|unable to access|CONNECT tunnel|kex_exchange_identification|banner exchange|Connection closed by|Could not read from remote repository|Proxy|RPC failed|not valid: is this a git repository/i,
    'unavailable',
    'unreachable',
    'The git server could not be reached, or it broke off the connection.',
  ],
];

const ABSENT = /no such path|has only \d+ lines?|does not exist in|exists on disk, but not in/;

/** Whether git refused only because the path or the line is not there. */
export function isAbsent(stderr: string): boolean {
  return ABSENT.test(stderr);
}

/** The one translation of a failed git child into an error for people; the details stay in `cause`. */
export function gitFailure(end: GitEnd): AppError {
  const cause = new Error(
    `git ${end.name} ended with ${end.signal ?? `code ${end.exitCode}`}: ${end.stderr.slice(-2000)}`,
  );
  const failure = (code: ErrorCode, reason: string, text: string, options: AppErrorOptions = {}) =>
    new AppError(code, text, { ...options, reason, cause });

  if (end.killed === 'timed_out') {
    return failure('unavailable', 'timed_out', 'Reading the repository took too long.');
  }
  if (end.killed === 'stalled') {
    return failure('unavailable', 'stalled', 'Reading the repository took too long.');
  }
  if (end.killed === 'stopped') {
    return failure('unavailable', 'stopped', 'Reading the repository was stopped.');
  }
  if (end.killed === 'too_much_output') {
    return failure('too_large', 'too_large', 'The repository answered with more than can be shown.');
  }
  if (end.signal === 'SIGXFSZ') {
    return failure('too_large', 'too_large', 'The repository is larger than this server allows.');
  }
  if (end.signal === 'SIGXCPU') {
    return failure('unavailable', 'timed_out', 'Reading the repository took too long.');
  }
  for (const [pattern, code, reason, text] of MESSAGES) {
    if (pattern.test(end.stderr)) {
      return failure(code, reason, text);
    }
  }
  return failure('unavailable', 'git_failed', 'Git could not read the repository.');
}
