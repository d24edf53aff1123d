import type { EventFrame } from './error-event.ts';

/** Folders that a deployment puts before the paths of a project. */
const DEPLOY_FOLDER =
  /^(?:[a-z]:)?\/(?:home\/runner\/work\/[^/]+\/[^/]+|(?:home|users)\/[^/]+\/(?:(?:projects|code|src|dev|work|repos|apps|www|git|workspace|documents)\/)?[^/]+|github\/workspace|workspaces?\/[^/]+|usr\/src\/[^/]+|usr\/local\/[^/]+|var\/(?:www|lib)\/(?:html|[^/]+)|var\/task|(?:srv|opt|root|mnt|data|builds?|tmp|private\/tmp|inetpub|layers)\/[^/]+|go\/src\/(?:[^/]+\.[^/]+\/[^/]+\/[^/]+|[^/]+)|app|code|src|project|application|[^/]+)\//i;
/** Folders of releases below those of a deployment. */
const RELEASE_FOLDER =
  /^(?:(?:releases?|versions?|deploys?|builds?)\/[^/]+|current|live|app-[\d.]+|[\da-f]{7,40}|\d{8,14}|[\w-]*\d+\.\d+[\w.-]*)\//i;

/** File names that say little without their folder. */
const GENERIC_STEM =
  /^(?:index|__init__|__main__|mod|main|lib|page|route|routes|layout|handler|handlers|app|server|views?|models?|controllers?|urls|tasks|serializers?|forms?|admin|utils?|helpers?|types?|service|services|api|client|base|common|core|config|schema|errors?|store|component|program|startup|application)$/i;

/** Place of code that PHP evaluates: `formula.php(53) : eval()'d code`. */
const EVALUATED = /\(\d+\) : .*$/s;
/** Extensions of one module before and after its compilation. */
const SCRIPT_EXTENSION = /\.(?:[cm]?ts|tsx|jsx|[cm]js)$/i;
const BUNDLE_EXTENSION = /\.(?:[cm]?js|css|jsbundle|bundle)$/;

/** File of a frame without deploy folder, release and content hash; with its folder where the name says little. */
export function frameFile({ path, absPath }: EventFrame): string {
  // A bare file name is relative to a folder that only the absolute path tells.
  const full = path.includes('/') || !absPath ? path : absPath;
  const relative = stripDeployFolder(full.replaceAll('\\', '/').replace(/^[a-z+-]+:\/\/[^/]*/i, ''));
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  const name = stripContentHash((parts.at(-1) ?? '').replace(EVALUATED, '').replace(/[?#].*$/, ''))
    .replace(/^[0-9a-f]{16,}(?=\.)/i, 'index')
    .replace(SCRIPT_EXTENSION, '.js');
  const stem = name.replace(/\..*$/s, '');
  const folder = parts.at(-2);
  return (GENERIC_STEM.test(stem) && folder ? `${folder}/${name}` : name).toLowerCase();
}

/** Path without the folders that a deployment puts before it: `/srv/shop/releases/42/src/cart.js` → `src/cart.js`. */
export function stripDeployFolder(path: string): string {
  let rest = path.replace(DEPLOY_FOLDER, '');
  for (let depth = 0; depth < 3 && RELEASE_FOLDER.test(rest); depth++)
    rest = rest.replace(RELEASE_FOLDER, '');
  return rest;
}

/** Removes the hash of a bundle: `index-BfH3a9d2.js`, `main.3f2a1b4c.chunk.js` and `417.js` differ by build. */
function stripContentHash(name: string): string {
  const [extension] = BUNDLE_EXTENSION.exec(name) ?? [];
  if (extension === undefined) return name;
  const stem = name
    .slice(0, -extension.length)
    .replace(/[-.]([\w-]{8})$/, (whole, part: string) => (looksRandom(part) ? '' : whole));
  const kept = stem.split(/[-.~]/).filter((part) => !looksRandom(part) && !/^\d+$/.test(part));
  return `${kept.join('.')}${extension}`;
}

/** True for a part of a name that is a hash rather than a word. */
function looksRandom(part: string): boolean {
  if (part.length < 6) return false;
  if (/^[0-9a-f]+$/i.test(part)) return /\d/.test(part) && (part.length >= 7 || /[a-f]/i.test(part));
  const classes = [/[a-z]/, /[A-Z]/, /\d/].filter((pattern) => pattern.test(part)).length;
  return (
    part.length >= 8 &&
    part.length <= 32 &&
    (classes === 3 || (classes === 2 && /\d[A-Za-z]|[A-Z].*[a-z].*[A-Z]{2}/.test(part)))
  );
}

/** Names of functions without a name. */
const ANONYMOUS =
  /^(?:<?anonymous>?|<lambda>|<module>|<listcomp>|<dictcomp>|<setcomp>|<genexpr>|<unknown>|\?+|\{\{?closure.*|\{main\}|func\d+|eval|<top|main>|<main>|lambda|_*|global code|module code|__webpack_require__|<\w*>)$/i;

/** Receivers that engines print before a function without a name. */
const RECEIVER = /^(?:object|module|function|window|global|globalthis|array|promise|proxy)$/i;

/**
 * Name of a frame's function: its last part, without what compilers and runtimes add to it. Null for functions without a name
 * and in minified code.
 */
export function frameFunction({ symbol: printed, path, module = '' }: EventFrame): string | null {
  if (printed === undefined) return null;
  // The method of an async state machine is named by its type.
  const symbol = /MoveNext(?:\(\))?$/.test(printed)
    ? (/<(\w+)>d__\d+/.exec(printed + module)?.[1] ?? printed)
    : printed;
  const name = symbol
    .slice(0, 400)
    // The receiver of a method in Go, and the arguments of other languages.
    .replace(/\(\*?[^()]*\)(?=\.)/, '')
    .replace(/\(.*$/s, '')
    .replace(/^(?:async|new|get|set|static|bound) +/, '')
    .replace(/^(?:block(?: \(\d+ levels\))?|rescue|ensure) in /, '')
    .replace(/ \[as [^\]]*\]$/, '')
    .replace(/::h[0-9a-f]{16}$/, '')
    .replace(/(?:_+\d{3,})+$/, '')
    .replace(
      /<([\w.]+)>[a-z]__\d+\w*(?:\.MoveNext)?|<(\w+)>[a-z]__[\w|]+/g,
      (_all, a?: string, b?: string) => a ?? b ?? '',
    )
    .replace(/lambda\$([\w]+)\$\d+/, '$1')
    .replace(/<[^<>]*(?:<[^<>]*>[^<>]*)*>$/, (generic) => (/^<\w+>$/.test(generic) ? generic : ''));
  const parts = name.split(/\.|::|#|\\|\/|\$(?=[A-Z\d])/).map((part) => part.trim());
  const named = parts.filter((part) => part !== '' && !/^\d+$/.test(part));
  while (named.length > 0 && ANONYMOUS.test(named.at(-1)!)) {
    named.pop();
    // A closure has the name of its function, and code outside functions none.
    if (named.length === 1 && (RECEIVER.test(named[0]!) || /\\\{closure/.test(name))) named.pop();
  }
  const last = named.at(-1)?.replace(/^[*&]/, '') ?? null;
  if (last === null || (isMinified(path) && last.length <= 2)) return null;
  return last.replace(/\[.*$/s, '').toLowerCase();
}

/** True for bundles, whose functions have names of one or two letters. */
export function isMinified(path: string): boolean {
  return (
    BUNDLE_EXTENSION.test(path) &&
    (/\.min\.|(?:^|\/)(?:assets|static|chunks|dist|build|_next|bundles?|packs)\//.test(path) ||
      stripContentHash(path.slice(path.lastIndexOf('/') + 1)) !== path.slice(path.lastIndexOf('/') + 1))
  );
}
