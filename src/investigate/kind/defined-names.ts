import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';

const MAX_NAMES = 12;
const MAX_TOKENS = 400;
/** Passages that define a name; more make it generic. */
const MAX_DEFINITIONS = 40;
/** Names of code: with an underscore, an inner capital, a member access, a path, or in quotes. */
const CODE_NAME =
  /`([^`\n]{2,80})`|(?<![\w$])((?:[A-Za-z_$][\w$]*(?:\.|::|#|->))+[A-Za-z_$][\w$]*|[a-z]+_\w+|_\w{3,}|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z_][\w$]*(?=\())/g;

export const FILE_NAME =
  /^[\w./-]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|php|c|h|json|ya?ml|toml|txt|md|csv|log|xml|html|sh)$/i;

/** Files that most repositories have. */
const COMMON_FILE =
  /^(?:(?:package(?:-lock)?|composer|tsconfig|deno)\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|pom\.xml|(?:README|CHANGELOG|CONTRIBUTING)\.\w+|index\.\w+|main\.\w+|__init__\.py|requirements\.txt)$/i;

/** True when source code defines the name. */
export function isDefined(code: CodeTable, name: string): boolean {
  const passages = code.passagesDefining(name);
  if (passages.length === 0 || passages.length > MAX_DEFINITIONS) return false;
  return passages.some((passage) =>
    code.passageFiles(passage).some((file) => !isNonSource(code.filePath(file))),
  );
}

/** Names of code in the text, and of those that it uses, that source code defines. */
export function definedNames(code: CodeTable, words: string, used: readonly string[]): string[] {
  const tokens = [...words.matchAll(CODE_NAME)]
    .slice(0, MAX_TOKENS)
    .map(([, quoted, plain]) => quoted ?? plain!)
    .concat(used);
  const found = new Set<string>();
  for (const token of tokens) {
    const name = token
      .replace(/\(.*$/, '')
      .split(/\.|::|#|->|\s/)
      .at(-1)!;
    if (name.length < 4 || found.has(name)) continue;
    const isFileName = FILE_NAME.test(token);
    const isNamed = isFileName
      ? !COMMON_FILE.test(token) && code.fileNumber(token) >= 0
      : isDefined(code, name);
    if (isNamed || (!isFileName && code.fileNumber(token) >= 0)) found.add(name);
    if (found.size >= MAX_NAMES) break;
  }
  return [...found];
}
