import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { filesNamed } from './files-named.ts';
import { sharedSuffix } from './path-mappings.ts';

/**
 * A class named with its package: `Monolog\Handler\SyslogHandler`, `com.squareup.javapoet.TypeSpec`, also with slashes; or with its
 * module: `Zip::File`, perhaps followed by a constant of its own, and in Perl also `URI::mailto`.
 */
const QUALIFIED_CLASS =
  /(?<![\w$\\/.:])((?:[A-Za-z_]\w*(?:[\\/.]|::)){1,12}[A-Z]\w*|[A-Z]\w*::(?:\w+::){0,10}[a-z_]\w*)/g;
const CLASS_FILE = /\.(?:php|java|kt|kts|scala|groovy|cs|rb|pm)$/;
/** Names that are looked up. */
const MAX_NAMES = 6;
/** Folder and file that have to fit. */
const MIN_SEGMENTS = 2;

/** Files of the classes that a message names with their packages, where the paths of files follow packages. */
export function findNamedClasses(code: CodeTable, message: string): { name: string; file: number }[] {
  const names = [...new Set(Array.from(message.matchAll(QUALIFIED_CLASS), ([, name]) => name!))];
  return names.slice(0, MAX_NAMES).flatMap((name) => {
    const segments = name.split(/[\\/.]|::/);
    // A constant has no file of its own.
    const shortest = name.includes('::') ? MIN_SEGMENTS : segments.length;
    for (let length = segments.length; length >= shortest; length--) {
      const file = findClassFile(code, segments.slice(0, length));
      if (file !== null) return [{ name, file }];
    }
    return [];
  });
}

/** The one file whose path ends with the segments; null where there is none or several. */
function findClassFile(code: CodeTable, segments: string[]): number | null {
  const fits = (path: string) => {
    const own = path.replace(CLASS_FILE, '').split('/');
    const wanted = path.endsWith('.rb') ? segments.map(toSnakeCase) : segments;
    return CLASS_FILE.test(path) && !isNonSource(path) && sharedSuffix(wanted, own) >= MIN_SEGMENTS;
  };
  const [file, ...others] = filesNamed(code, segments.at(-1)!).filter((one) => fits(code.filePath(one)));
  return file === undefined || others.length > 0 ? null : file;
}

/** `InputStream` as `input_stream`, `HTTPServer` as `http_server`. */
function toSnakeCase(name: string): string {
  return name
    .replace(
      /([A-Z]+)([A-Z][a-z])|([a-z\d])([A-Z])/g,
      (_, a = '', b = '', c = '', d = '') => `${a}${c}_${b}${d}`,
    )
    .toLowerCase();
}
