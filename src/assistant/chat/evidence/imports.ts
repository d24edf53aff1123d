import { escapePattern } from '../understand/name-patterns.ts';

/** Modules that packages declare only in their own metadata, where no rule derives them from the name. */
const DECLARED_MODULES: Record<string, string[]> = {
  attrs: ['attr', 'attrs'],
  beautifulsoup4: ['bs4'],
  guava: ['com.google.common'],
  mysqlclient: ['MySQLdb'],
  oniguruma: ['oniguruma', 'onig'],
  'opencv-python': ['cv2'],
  pillow: ['PIL'],
  pyopenssl: ['OpenSSL'],
  'scikit-learn': ['sklearn'],
  setuptools: ['setuptools', 'pkg_resources'],
};

/** Spellings of a dependency in the code that imports it, likeliest first. */
export function importNames(dependency: string): string[] {
  const plain = dependency.toLowerCase();
  const short = plain.split(/[/:]/).findLast((part) => part !== '' && !/^v\d+$/.test(part)) ?? plain;
  const known = DECLARED_MODULES[plain] ?? DECLARED_MODULES[short] ?? [];
  const bare = short.replace(
    /^(?:python|py|node|go|lib|ruby|rust)[-_]|[-_](?:python|js|go|rs|ruby|rb)$/g,
    '',
  );
  const spellings = [
    dependency,
    plain,
    short,
    short.replaceAll('-', '_'),
    short.replaceAll('-', '.'),
    short.replaceAll('-', '/'),
    bare,
    camelCase(short),
    ...derivedNames(plain, short),
  ];
  const composer = dependency.includes('/')
    ? [dependency.split('/').slice(-2).map(camelCase).join('\\')]
    : [];
  return [...new Set([...known, ...spellings, ...composer])].filter((name) => name.length > 1);
}

/** Names by the conventions of ecosystems: Maven's group, `yaml` of `pyyaml`, `psycopg2` of its build, `active_support`. */
function derivedNames(plain: string, short: string): string[] {
  const group = plain.includes(':') ? plain.slice(0, plain.indexOf(':')) : '';
  const unprefixed = /^py(?=[a-z]{3})/.test(short) ? short.slice(2) : '';
  const built = short.replace(/-(?:binary|core|api)$/, '');
  const rails = short.replace(/^(active|action)(?=[a-z]+$)/, '$1_');
  return [
    group.includes('.') ? group : '',
    unprefixed,
    built,
    rails,
    ...(rails === short ? [] : [camelCase(rails)]),
  ];
}

function camelCase(text: string): string {
  return text.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const STATEMENT =
  /^\s*(?:import\b|from\s|(?:pub(?:\([^)]*\))?\s+)?use\s|#\s*include\b|require(?:_relative)?\b|autoload\b|extern\s+crate\b|gem\s|export\s.*\sfrom\s)|\brequire(?:\.resolve)?\(|\bimport\(|\b__import__\(|\bimport_module\(|importlib/;

/**
 * True for a line that imports the name: by an import statement, a quoted module, or a qualified path (`tilt::`, `Psr\Log\`).
 * `inBlock` allows a quoted path alone, as in Go's import blocks.
 */
export function isImportOf(line: string, name: string, language: string): boolean {
  const pattern = escapePattern(name);
  if (language === 'go')
    return new RegExp(
      `^\\s*(?:import\\s+)?(?:[\\w.]+\\s+)?"(?:[^"]*/)?${pattern}(?:/v\\d+|\\.v\\d+)?(?:/[^"]*)?"`,
    ).test(line);
  if (!STATEMENT.test(line)) return false;
  if (/script|tsx|vue|svelte/.test(language))
    return new RegExp(`['"\`]${pattern}(?:/[^'"\`]*)?['"\`]`).test(line);
  if (language === 'ruby') return new RegExp(`['"]${pattern}(?:/[^'"]*)?['"]`).test(line);
  if (language === 'python')
    return new RegExp(
      `^\\s*(?:from|import)\\s+(?:[\\w., ]+,\\s*)?${pattern}(?![\\w-])|['"]${pattern}['".]`,
    ).test(line);
  if (language === 'php') return new RegExp(`\\buse\\s+(?:function\\s+)?\\\\?${pattern}(?![\\w])`).test(line);
  if (language === 'c' || language === 'cpp')
    return new RegExp(`#\\s*include\\s*[<"](?:[^>"]*/)?${pattern}(?:[/.][^>"]*)?[>"]`).test(line);
  return new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`).test(line);
}

/** Name that a line binds the module to: `onFinished` of `const onFinished = require('on-finished')`; null for none. */
export function boundName(line: string, name: string, language: string): string | null {
  if (language === 'go') return goPackageName(line);
  const assigned = /^\s*(?:const|let|var)\s+(\w+)\s*=.*\brequire\(/.exec(line)?.[1];
  const imported = /^\s*import\s+(?:\*\s+as\s+)?(\w+)\b.*\bfrom\b/.exec(line)?.[1];
  const renamed = new RegExp(`\\b${escapePattern(name)}(?:[\\w.]*)\\s+as\\s+(\\w+)`).exec(line)?.[1];
  return assigned ?? imported ?? renamed ?? null;
}

/** Name of a Go package: its alias, or the last part of its path that is no version. */
function goPackageName(line: string): string | null {
  const [, alias, path = ''] = /^\s*(?:import\s+)?(\w+)?\s*"([^"]+)"/.exec(line) ?? [];
  const last = path.split('/').findLast((part) => !/^v\d+$/.test(part));
  return alias ?? last?.replace(/^go-|\.v\d+$/g, '') ?? null;
}

/** Names that a line takes out of the module: `{ a, b }`, `import a, b`, `::{a, b}`. */
export function importedNames(line: string): string[] {
  const list =
    /\{([^}]*)\}/.exec(line)?.[1] ?? /^\s*from\s+\S+\s+import\s+\(?([^()#]+)/.exec(line)?.[1] ?? '';
  const last = list === '' ? (/(?:::|\\|\.)(\w+)\s*;\s*$/.exec(line)?.[1] ?? '') : '';
  return [...list.split(','), last]
    .map((part) =>
      part
        .trim()
        .split(/\s+as\s+|\s*:\s*/)
        .at(-1)!
        .replace(/^type\s+/, ''),
    )
    .filter((part) => /^\w+$/.test(part));
}
