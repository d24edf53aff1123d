/** Facts that a CI system tells about its run. */
export interface CiEnvironment {
  /** Branch or commit that the run is compared with: the target of a pull request. */
  base: string | null;
  /** Commit and branch that were tested. */
  commit: string | null;
  branch: string | null;
  /** Pull or merge request of the run; null without one. `token` is null when none is set. */
  review: {
    kind: 'github' | 'gitlab';
    apiUrl: string;
    repository: string;
    number: number;
    token: string | null;
  } | null;
}

type Environment = Record<string, string | undefined>;

/** Reads the variables of GitHub Actions, GitLab CI and systems that set the same ones. */
export function readCiEnvironment(env: Environment): CiEnvironment {
  const present = (name: string) => env[name]?.trim() || null;
  return {
    base: present('GITHUB_BASE_REF') ?? present('CI_MERGE_REQUEST_TARGET_BRANCH_NAME'),
    commit: present('GITHUB_SHA') ?? present('CI_COMMIT_SHA'),
    branch:
      present('GITHUB_HEAD_REF') ??
      present('GITHUB_REF_NAME') ??
      present('CI_MERGE_REQUEST_SOURCE_BRANCH_NAME') ??
      present('CI_COMMIT_BRANCH'),
    review: readGithub(present) ?? readGitlab(present),
  };
}

function readGithub(present: (name: string) => string | null): CiEnvironment['review'] {
  const [, number] = /^refs\/pull\/(\d{1,9})\//.exec(present('GITHUB_REF') ?? '') ?? [];
  const repository = present('GITHUB_REPOSITORY');
  if (!number || !repository) return null;
  return {
    kind: 'github',
    apiUrl: present('GITHUB_API_URL') ?? 'https://api.github.com',
    repository,
    number: Number(number),
    token: present('HINDSIGHT_COMMENT_TOKEN') ?? present('GITHUB_TOKEN') ?? present('GH_TOKEN'),
  };
}

function readGitlab(present: (name: string) => string | null): CiEnvironment['review'] {
  const number = present('CI_MERGE_REQUEST_IID');
  const repository = present('CI_MERGE_REQUEST_PROJECT_ID') ?? present('CI_PROJECT_ID');
  if (!number || !/^\d{1,9}$/.test(number) || !repository) return null;
  return {
    kind: 'gitlab',
    apiUrl: present('CI_API_V4_URL') ?? 'https://gitlab.com/api/v4',
    repository,
    number: Number(number),
    token: present('HINDSIGHT_COMMENT_TOKEN') ?? present('GITLAB_TOKEN'),
  };
}
