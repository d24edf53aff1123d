import { AppError } from '#contract/errors.ts';
import { git } from './run.ts';

/** `cat-file --batch-command` came with 2.36, `http.curloptResolve` with 2.37, `safe.bareRepository` with 2.38. */
const MIN_VERSION = [2, 38] as const;

/** The version of git, such as `2.39.5`. Throws when git is missing or older than 2.38. */
export async function readGitVersion(): Promise<string> {
  const { stdout } = await git(null, ['--version'], { name: 'version', input: '' });
  return requireSupportedVersion(stdout.toString());
}

/** Reads the answer of `git --version`; throws when it is older than 2.38. */
export function requireSupportedVersion(text: string): string {
  const [version, major, minor] = /(\d+)\.(\d+)(?:\.\d+)*/.exec(text) ?? ['unknown', '0', '0'];
  const recent =
    Number(major) > MIN_VERSION[0] || (Number(major) === MIN_VERSION[0] && Number(minor) >= MIN_VERSION[1]);
  if (!recent) {
    throw new AppError('unavailable', 'git_too_old', {
      params: { minimum: MIN_VERSION.join('.'), version },
      reason: 'git_too_old',
    });
  }
  return version;
}
