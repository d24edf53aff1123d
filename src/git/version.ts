import { AppError } from '#contract/errors.ts';
import { git } from './run.ts';

/** `cat-file --batch-command` came with 2.36, `http.curloptResolve` with 2.37, `safe.bareRepository` with 2.38. */
const OLDEST = [2, 38] as const;

/** The version of git, such as `2.39.5`. Throws when git is missing or older than 2.38. */
export async function gitVersion(): Promise<string> {
  const { stdout } = await git(null, ['--version'], { name: 'version', input: '' });
  return checkVersion(stdout.toString());
}

/** Reads the answer of `git --version`; throws when it is older than 2.38. */
export function checkVersion(text: string): string {
  const [version, major, minor] = /(\d+)\.(\d+)(?:\.\d+)*/.exec(text) ?? ['unknown', '0', '0'];
  const recent = Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
  if (!recent) {
    throw new AppError('unavailable', 'git_too_old', {
      params: { minimum: OLDEST.join('.'), version },
      reason: 'old_git',
    });
  }
  return version;
}
