import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { filesNamed } from './files-named.ts';
import { sharedSuffix } from './path-mappings.ts';

/** A class named with its package: `Monolog\Handler\SyslogHandler`, `com.squareup.javapoet.TypeSpec`, also with slashes. */
const QUALIFIED_CLASS = /(?<![\w$\\/.])((?:[A-Za-z_]\w*[\\/.]){1,12}[A-Z]\w*)/g;
const CLASS_FILE = /\.(?:php|java|kt|kts|scala|groovy|cs)$/;
/** Names that are looked up. */
const MAX_NAMES = 6;

/** Files of the classes that a message names with their packages, where the paths of files follow packages. */
export function findNamedClasses(code: CodeTable, message: string): { name: string; file: number }[] {
  const names = [...new Set(Array.from(message.matchAll(QUALIFIED_CLASS), ([, name]) => name!))];
  return names.slice(0, MAX_NAMES).flatMap((name) => {
    const segments = name.split(/[\\/.]/);
    const fits = (path: string) =>
      CLASS_FILE.test(path) &&
      !isNonSource(path) &&
      sharedSuffix(segments, path.replace(CLASS_FILE, '').split('/')) >= 2;
    const [file, ...others] = filesNamed(code, segments.at(-1)!).filter((one) => fits(code.filePath(one)));
    return file === undefined || others.length > 0 ? [] : [{ name, file }];
  });
}
