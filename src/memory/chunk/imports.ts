import type { Node } from 'web-tree-sitter';

/** Longer ones are data, and a list of them would be a bomb. */
const LONGEST_MODULE = 200;
const MOST_IMPORTS = 1000;

/** What queries capture of an import: the module, one thing of it that may be a module too, a module below or beside. */
export interface ImportCaptures {
  import?: Node;
  member?: Node;
  submodule?: Node;
  sibling?: Node;
}

/** Names of modules that a match of a query imports, as the language writes them. */
export function modulesOf(language: string, captures: ImportCaptures): string[] {
  const { import: whole, member, submodule, sibling } = captures;
  if (submodule) return [`self::${submodule.text}`];
  if (sibling) return [/^\.{0,2}\//.test(sibling.text) ? sibling.text : `./${sibling.text}`];
  if (!whole) return [];
  const read = READERS[language] ?? unquoted;
  return read(member ? joined(whole.text, member.text) : whole.text);
}

/** The names without repetition, and without what no module is called. */
export function distinctModules(modules: Iterable<string>): string[] {
  const known = new Set<string>();
  for (const module of modules) {
    if (known.size === MOST_IMPORTS) break;
    if (/^[^\s]{1,200}$/.test(module) && module.length <= LONGEST_MODULE) known.add(module);
  }
  return [...known];
}

const READERS: Record<string, (text: string) => string[]> = {
  rust: usePaths,
  java: (text) => [text.replace(/^import\s+(?:static\s+)?|[\s;]/g, '')],
  csharp: (text) => [text.replace(/^(?:global\s+)?using\s+(?:static\s+|unsafe\s+|\w+\s*=)*|[\s;]/g, '')],
  php: (text) => (/^use\b/i.test(text) ? uses(text) : quotedIn(text)),
  css: quotedIn,
};

const unquoted = (text: string) => [text.replace(/^["'<]|[">']$/g, '')];
/** `.` and `a`, as in `from . import a`, are `.a`. */
const joined = (module: string, member: string) => `${module}${module.endsWith('.') ? '' : '.'}${member}`;

/** `url(a.css)`, `"a.css"`, `__DIR__ . '/a.php'`: only what is written out. */
function quotedIn(text: string): string[] {
  const path = /["']([^"'\n]{1,200})["']/.exec(text)?.[1] ?? /^url\(([^()\s]{1,200})\)$/.exec(text)?.[1];
  if (path === undefined) return [];
  return [/\b(?:__DIR__|dirname)\b/.test(text) ? `./${path.replace(/^\/+/, '')}` : path];
}

/** `use App\{A, B as C}, function f;` as `App\A`, `App\B`, `f`. */
function uses(text: string): string[] {
  return grouped(text.replace(/^use\s+|;\s*$/gi, ''), '\\').map((name) =>
    name.replace(/^(?:function|const)\s+/i, '').replace(/^\\/, ''),
  );
}

/** `std::{io, fmt::{self, Debug as D}}` as `std::io`, `std::fmt`, `std::fmt::Debug`. */
function usePaths(text: string): string[] {
  return grouped(text, '::').map((path) => path.replace(/::(?:self|\*)$/, ''));
}

/** Multiplies out groups in braces and takes off `as …`. Linear in the text, but for what it writes out. */
function grouped(text: string, separator: string): string[] {
  const found: string[] = [];
  const prefixes: string[] = [''];
  let name = '';
  const end = () => {
    const bare = name.replace(/\s+as\s[\s\S]*$/, '').trim();
    if (bare !== '' && prefixes.at(-1)!.length <= LONGEST_MODULE) found.push(prefixes.at(-1)! + bare);
    name = '';
  };
  for (const [part] of text.matchAll(/[{},]|[^{},]+/g)) {
    if (found.length > MOST_IMPORTS) break;
    if (part === '{') {
      prefixes.push(prefixes.at(-1)! + name.trim());
      name = '';
    } else if (part === '}') {
      end();
      if (prefixes.length > 1) prefixes.pop();
    } else if (part === ',') end();
    else name += part;
  }
  end();
  return found.map((path) => (path.startsWith(separator) ? path.slice(separator.length) : path));
}
