import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { ToolContext } from '../../tools/tool.ts';

/** Names in the manifests of a repository. */
export interface ManifestNames {
  /** Manifest paths by the name of the dependency, as written. */
  dependencies: ReadonlyMap<string, readonly string[]>;
  /** Names of the project and its packages, in lower case. */
  projects: ReadonlySet<string>;
}

interface Parsed {
  dependencies: string[];
  projects: string[];
}

/** Manifests that are read, those nearest to the root first. */
const MAX_MANIFESTS = 60;
const MAX_LENGTH = 300_000;

const PARSERS: [RegExp, (text: string, path: string) => Parsed][] = [
  [/(?:^|\/)package\.json$/, parsePackageJson],
  [/(?:^|\/)composer\.json$/, parseComposer],
  [
    /(?:^|\/)(?:requirements[\w.-]*|constraints)\.(?:txt|in)$|(?:^|\/)requirements\/[\w.-]+\.(?:txt|in)$/,
    parseRequirements,
  ],
  [/(?:^|\/)pyproject\.toml$/, parsePyproject],
  [/(?:^|\/)(?:setup\.py|setup\.cfg|Pipfile)$/, parsePythonSetup],
  [/(?:^|\/)go\.mod$/, parseGoMod],
  [/(?:^|\/)Cargo\.toml$/, parseCargo],
  [/(?:^|\/)(?:Gemfile|[\w.-]+\.gemspec)$/, parseGems],
  [/(?:^|\/)pom\.xml$/, parsePom],
  [/(?:^|\/)[\w.-]*\.gradle(?:\.kts)?$|(?:^|\/)libs\.versions\.toml$/, parseGradle],
  [/(?:^|\/)\.gitmodules$/, parseSubmodules],
  [/(?:^|\/)(?:CMakeLists\.txt|configure\.(?:ac|in)|meson\.build)$/, parseNativeBuild],
  [/^README[\w.]*$/i, parseReadme],
];

/** Promise of the names by index; removed when reading fails, so that the next question tries again. */
const cache = new WeakMap<RepositoryIndex, Promise<ManifestNames>>();

/** Reads the manifests of the indexed revision, once per index. */
export function readManifestNames({
  index,
  sources,
}: Pick<ToolContext, 'index' | 'sources'>): Promise<ManifestNames> {
  const known = cache.get(index);
  if (known) return known;
  const names = loadManifestNames(index, sources);
  cache.set(index, names);
  names.catch(() => cache.delete(index));
  return names;
}

async function loadManifestNames(
  { code }: RepositoryIndex,
  sources: ToolContext['sources'],
): Promise<ManifestNames> {
  const dependencies = new Map<string, string[]>();
  const projects = new Set<string>();
  const manifests = code ? listManifests(code) : [];
  const texts = await Promise.all(manifests.map(({ path }) => sources.lines(path)));
  manifests.forEach(({ path, parse }, i) => {
    const found = parseSafely(texts[i]?.join('\n').slice(0, MAX_LENGTH) ?? '', path, parse);
    for (const name of found.projects) if (name !== '') projects.add(name.toLowerCase());
    for (const name of found.dependencies) {
      const paths = dependencies.get(name);
      if (!paths) dependencies.set(name, [path]);
      else if (!paths.includes(path)) paths.push(path);
    }
  });
  return { dependencies, projects };
}

function listManifests(code: CodeTable) {
  const found: { path: string; parse: (text: string, path: string) => Parsed }[] = [];
  for (let file = 0; file < code.fileCount; file++) {
    const path = code.filePath(file);
    if (/(?:^|\/)(?:node_modules|fixtures|testdata|examples?)\//.test(path)) continue;
    const parse = PARSERS.find(([pattern]) => pattern.test(path))?.[1];
    if (parse) found.push({ path, parse });
  }
  const depth = ({ path }: { path: string }) => path.split('/').length;
  return found.sort((a, b) => depth(a) - depth(b)).slice(0, MAX_MANIFESTS);
}

function parseSafely(text: string, path: string, parse: (text: string, path: string) => Parsed): Parsed {
  try {
    return parse(text, path);
  } catch {
    // Manifests of tests may be broken on purpose.
    return { dependencies: [], projects: [] };
  }
}

function all(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[1]!);
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function parsePackageJson(text: string): Parsed {
  const json = JSON.parse(text) as Record<string, unknown>;
  const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  const name = typeof json.name === 'string' ? json.name : '';
  return {
    dependencies: kinds.flatMap((kind) => keysOf(json[kind])),
    projects: [name, name.split('/').at(-1)!],
  };
}

function parseComposer(text: string): Parsed {
  const json = JSON.parse(text) as Record<string, unknown>;
  const required = [...keysOf(json.require), ...keysOf(json['require-dev'])];
  const name = typeof json.name === 'string' ? json.name : '';
  const dependencies = required.filter((each) => each.includes('/') || each.startsWith('ext-'));
  return { dependencies, projects: [name, name.split('/').at(-1)!] };
}

const REQUIREMENT = /^\s*["']?([A-Za-z][\w.-]*[\w])(?:\[[^\]]*\])?\s*(?:[<>!~;@,"'#]|==|$)/;

function parseRequirements(text: string): Parsed {
  const names = text.split('\n').map((line) => REQUIREMENT.exec(line)?.[1] ?? '');
  return { dependencies: names.filter((name) => name !== ''), projects: [] };
}

function parsePyproject(text: string): Parsed {
  const projects = all(text, /^\s*name\s*=\s*["']([\w.-]+)["']/gm);
  const dependencies: string[] = [];
  for (const [, section = '', body = ''] of text.matchAll(
    /^\[([\w.-]+)\]\n((?:(?!\[[\w.-]+\]\s*$).*\n?)*)/gm,
  )) {
    const isListOfLists = /(?:dependency-groups|optional-dependencies|dev-dependencies)$/.test(section);
    const keys = isListOfLists ? '[\\w.-]+' : '(?:dependencies|requires|dev-dependencies)';
    const lists = all(
      body,
      new RegExp(`^\\s*${keys}\\s*=\\s*\\[([^\\]]*(?:\\[[^\\]]*\\][^\\]]*)*)\\]`, 'gm'),
    );
    dependencies.push(
      ...lists.flatMap((list) => parseRequirements(all(list, /["']([^"'\n]+)["']/g).join('\n')).dependencies),
    );
    if (/^tool\.poetry\..*dependencies$/.test(section)) dependencies.push(...all(body, /^([\w.-]+)\s*=/gm));
  }
  return { dependencies: dependencies.filter((name) => name !== 'python'), projects };
}

function parsePythonSetup(text: string): Parsed {
  const projects = all(text, /^\s*name\s*=\s*["']?([\w.-]+)["']?/gm);
  const specified = all(text, /["']([A-Za-z][\w.-]*\w)(?:\[[^\]]*\])?\s*(?:[<>!~]=?|==)[^"'\n]*["']/g);
  const lists = all(text, /(?:install_requires|tests_require|setup_requires)\s*=\s*\[([^\]]*)\]/g);
  const quoted = lists.flatMap((list) => all(list, /["']([A-Za-z][\w.-]*\w)/g));
  const indented = all(
    text,
    /^(?:install_requires|tests_require|setup_requires|[\w-]+)\s*=\s*\n((?:[ \t]+\S.*\n?)+)/gm,
  );
  const listed = indented.flatMap((lines) => parseRequirements(lines).dependencies);
  return { dependencies: [...specified, ...quoted, ...listed].filter(isPackageLike), projects };
}

const isPackageLike = (name: string) =>
  name.length > 2 && !/^(?:name|version|author|license|python)$/.test(name);

function parseGoMod(text: string): Parsed {
  const module = /^module\s+(\S+)/m.exec(text)?.[1] ?? '';
  const dependencies = all(text, /^\s*(?:require\s+)?((?:[\w-]+\.)+[\w-]+\/\S+)\s+v\S+/gm);
  return { dependencies, projects: [module, lastSegment(module)] };
}

function parseCargo(text: string): Parsed {
  const projects = all(text, /^\[package\][^[]*?^name\s*=\s*"([\w-]+)"/gm);
  const sections = text.matchAll(
    /^\[((?:target\.[^\]]+\.)?(?:workspace\.)?(?:dev-|build-)?dependencies)(?:\.([\w-]+))?\]\n((?:(?!\[).*\n?)*)/gm,
  );
  const dependencies = Array.from(sections).flatMap(([, , own, body]) =>
    own ? [own] : all(body!, /^([\w-]+)(?:\.workspace)?\s*=/gm),
  );
  return { dependencies, projects };
}

function parseGems(text: string): Parsed {
  return {
    dependencies: all(
      text,
      /^\s*(?:gem|\w+\.add(?:_runtime|_development)?_dependency)[\s(]+["']([\w.-]+)["']/gm,
    ),
    projects: all(text, /\.name\s*=\s*["']([\w.-]+)["']/g),
  };
}

function parsePom(text: string): Parsed {
  const own = text.replace(/<(dependencies|build|profiles|parent)>[\s\S]*?<\/\1>/g, '');
  const blocks = all(text, /<(?:dependency|plugin)>([\s\S]*?)<\/(?:dependency|plugin)>/g);
  const dependencies = blocks.flatMap((block) => {
    const artifact = /<artifactId>([^<]+)</.exec(block)?.[1];
    const group = /<groupId>([^<]+)</.exec(block)?.[1];
    return artifact ? [group ? `${group}:${artifact}` : artifact] : [];
  });
  return { dependencies, projects: all(own, /<artifactId>([^<]+)</g) };
}

function parseGradle(text: string): Parsed {
  return { dependencies: all(text, /["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']/g), projects: [] };
}

function parseSubmodules(text: string): Parsed {
  return { dependencies: all(text, /^\s*path\s*=\s*(?:\S*\/)?([\w.-]+)/gm), projects: [] };
}

function parseNativeBuild(text: string): Parsed {
  const libraries =
    /(?:find_package|pkg_check_modules|PKG_CHECK_MODULES|AC_CHECK_LIB|AC_SEARCH_LIBS|dependency)\s*\(\s*\[?["']?([A-Za-z][\w.-]+)/g;
  return {
    dependencies: all(text, libraries),
    projects: all(text, /(?:AC_INIT|project)\s*\(\s*\[?["']?([A-Za-z][\w.-]+)/g),
  };
}

function parseReadme(text: string): Parsed {
  const heading = /^(?:#\s*(.+)|([^\n]{2,40})\n[=~*-]{3,})/m.exec(text);
  const title = (heading?.[1] ?? heading?.[2] ?? '').replace(/[^\p{L}\p{N} ._-]/gu, '').trim();
  return { dependencies: [], projects: title.split(' ').length <= 2 ? [title] : [] };
}

/** `go-yaml` of `github.com/goccy/go-yaml/v2`. */
export function lastSegment(name: string): string {
  const parts = name.split(/[/:]/).filter((part) => !/^v\d+$/.test(part));
  return parts.at(-1) ?? name;
}
