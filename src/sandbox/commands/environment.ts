import { PLACES } from './bubblewrap.ts';

/** Places of package managers' caches, the same while a set-up command fills them and when tests use them. */
const CACHES = {
  BUNDLE_PATH: 'bundle',
  CARGO_HOME: 'cargo',
  COMPOSER_CACHE_DIR: 'composer',
  GEM_HOME: 'gems',
  GOMODCACHE: 'go/mod',
  GRADLE_RO_DEP_CACHE: 'gradle/caches',
  NUGET_PACKAGES: 'nuget',
  PYTHONUSERBASE: 'python',
};

/** A name that a shell takes for a variable. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const MAX_VALUE_LENGTH = 8_000;

/** The whole environment of a command; the server's own has no part in it. */
export function commandEnvironment(
  path: string,
  { hasSetup, additions = {} }: { hasSetup: boolean; additions?: Readonly<Record<string, string>> },
): Record<string, string> {
  const valid = Object.entries(additions).filter(
    ([name, value]) => NAME.test(name) && value.length <= MAX_VALUE_LENGTH && !value.includes('\0'),
  );
  return {
    PATH: path,
    HOME: PLACES.home,
    USER: 'sandbox',
    LOGNAME: 'sandbox',
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    // The leak checker traces its own threads, which the filter forbids.
    ASAN_OPTIONS: 'detect_leaks=0',
    PYTHONDONTWRITEBYTECODE: '1',
    // Without a network there is no other version to switch to.
    GOTOOLCHAIN: 'local',
    ...(hasSetup ? setupEnvironment(path) : {}),
    ...Object.fromEntries(valid),
  };
}

function setupEnvironment(path: string): Record<string, string> {
  const places = Object.entries(CACHES).map(([name, folder]) => [name, `${PLACES.setup}/${folder}`]);
  return {
    ...Object.fromEntries(places),
    PATH: `${PLACES.setup}/python/bin:${PLACES.setup}/cargo/bin:${PLACES.setup}/gems/bin:${path}`,
    MAVEN_ARGS: `-Dmaven.repo.local=${PLACES.setup}/maven`,
  };
}
