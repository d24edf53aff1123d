/** A path of a trace, split where the folder of an installed package ends. */
export interface PrintedPath {
  /** Name of the installed package: `express`, `@babel/core`, `github.com/gin-gonic/gin`; null outside packages. */
  package: string | null;
  /** Path inside the package, or the whole path. */
  inner: string;
  /** Package manager; null outside packages. */
  ecosystem: 'npm' | 'python' | 'go' | 'ruby' | 'rust' | 'php' | null;
}

/**
 * Folders of installed packages; the first group is the name, the second the path inside:
 *
 *     npm    …/node_modules/[@scope/]name/…         python …/site-packages/…, where the path keeps the import name
 *     go     …/pkg/mod/host/name@v1.2.3/…,          ruby   …/gems/name-1.2.3/…
 *            …/vendor/host/owner/name[/v2]/…
 *     rust   …/registry/src/index-hash/name-1.2.3/… php    …/vendor/vendor/name/…
 */
const PACKAGE_FOLDERS: [NonNullable<PrintedPath['ecosystem']>, RegExp][] = [
  ['npm', /^.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/@.][^/]*)\/(.+)$/],
  ['python', /^.*(?:^|\/)(?:site|dist)-packages\/(?:[^/]+\.egg\/)?()(.+)$/],
  ['go', /^(?:.*\/pkg\/mod\/)?([^@]*?[\w-]+\.[a-z]{2,10}\/[^@]+)@v[^/]+\/(.+)$/],
  ['go', /^(?:.*\/)?vendor\/(gopkg\.in\/[^/]+|[\w.-]+\.[a-z]{2,10}\/[^/]+\/[^/]+(?:\/v\d+)?)\/(.+\.go)$/],
  ['ruby', /^.*\/gems\/([\w.-]+?)-(?:\d[\w.]*|[0-9a-f]{7,12})\/(.+)$/],
  ['ruby', /^.*\/lib\/ruby\/(?:vendor|site)_ruby\/(?:\d[\d.]*\/)?()(.+)$/],
  ['rust', /^.*\/(?:registry\/src\/[^/]+|git\/checkouts)\/([\w-]+?)-(?:\d[\w.+-]*|[0-9a-f]{8,})\/(.+)$/],
  ['php', /^.*\/vendor\/([a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)\/(.+\.php)$/],
];

/** Splits a printed path, with forward slashes, into package and inner path. */
export function parsePrintedPath(printed: string): PrintedPath {
  for (const [ecosystem, pattern] of PACKAGE_FOLDERS) {
    const match = pattern.exec(printed);
    if (!match) continue;
    const name = match[1]!.replace(/!([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const inner = ecosystem === 'rust' ? match[2]!.replace(/^[0-9a-f]{7}\//, '') : match[2]!;
    return {
      package: name || inner.split('/')[0]!.replace(/\.(?:py|rb)$/, ''),
      inner,
      ecosystem,
    };
  }
  return { package: null, inner: printed, ecosystem: null };
}

/** Paths of a language's own runtime and of test runners. Folders `internal` are those of node and Go; programs have some as well. */
const RUNTIME_PATH =
  /^(?:node:|internal\/[\w/-]+\.js(?=:|$)|internal\/(?:abi|bytealg|godebug|oserror|poll|reflectlite|runtime\/(?:atomic|maps|sys)|singleflight|syscall|testlog)\/[\w/-]+\.go(?=:|$)|native\b|<|\[)|\/lib\/python\d(?:\.\d+)?\/(?!site-packages|dist-packages)|(?:^|\/)(?:_pytest|unittest|importlib)\/|^(?:java|javax|jdk|sun|kotlin|kotlinx|scala)\/|(?:^|\/)(?:rustc\/[0-9a-f]{8,40}|go\/src\/(?:runtime|testing|internal|net|os|sync|syscall|encoding|fmt|reflect|strconv|bufio|io)|(?:usr\/lib\/go(?:-[\d.]+)?|sdk\/go[\d.]+|hostedtoolcache\/go\/[^/]+\/[^/]+)\/src|go\/pkg\/mod\/golang\.org\/toolchain[^/]*|usr\/local\/go\/src|lib\/ruby\/\d[\d.]*(?!\/gems)|(?<!\/local\/(?:share|lib\/[\w-]{1,40})\/)perl(?:-base|\/5\.[\d.]+)|glibc[\w.-]{0,40}|sysdeps)\//;

/** True for paths of a language's own runtime and of test runners. */
export function isRuntimePath(printed: string): boolean {
  return RUNTIME_PATH.test(printed);
}
