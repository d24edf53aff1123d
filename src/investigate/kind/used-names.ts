import type { PackageNames } from '../locate/package-names.ts';

/** Members, calls and constructions of a line of code: `page.title`, `parse(`, `new Cart`, `Cart::open`, `$cart->total`. */
const USE =
  /((?<![\w$])[A-Za-z_$@][\w$]*|[)\]])?(?:\?\.|\.|::|->)([A-Za-z_]\w{2,})|\bnew\s+(?:[\w$]+[.\\])*([A-Z]\w{2,})|(?<![\w$.>:])([A-Za-z_]\w{2,})(?=\()/g;
/** Objects of the languages, whose members are no names of a project. */
const BUILT_IN_OBJECT =
  /^(?:JSON|Math|Object|Array|String|Number|Date|Promise|Reflect|console|process|Assert|Arrays|Objects|Collections|System|Integer|fmt|os|sys|io|log|errors|strings|reflect|time|re|self|this|t|std|Kernel|File)$/;
/** Functions and members of the languages and their test libraries. */
const BUILT_IN_NAME =
  /^(?:length|size|len|count|push|pop|map|filter|reduce|forEach|each|join|split|trim|strip|lower|upper|replace|replaceAll|includes|contains|indexOf|slice|concat|sort|keys|values|items|entries|toString|to_s|inspect|equals|equal|deepEqual|strictEqual|deepStrictEqual|assert\w*|expect|toBe|toEqual|raise|throw|panic|print|printf|println|Print\w*|Sprint\w*|Error\w*|\w*Exception|Fatalf?|require|import|include|list|dict|tuple|set|str|int|float|bool|sum|min|max|abs|range|sorted|type|repr|format|append|add|get|put|first|last|next|name|value|data|main|test|log|error|message|String|Object|Array|Promise|Date|Map|Set|RegExp|function|return|super|var_dump|count|isset|empty|array|exit|die|and|not|if|for|while|switch|catch|match)$/;

/** Lines that are read. */
const MAX_LINES = 100;

/** Names of a program that some lines of code use, as they are written there. */
export function usedNames(lines: readonly string[]): string[] {
  const found = new Set<string>();
  for (const line of lines.slice(0, MAX_LINES)) {
    for (const [, object, member, built, called] of withoutStrings(line).matchAll(USE)) {
      const name = member ?? built ?? called!;
      if (BUILT_IN_OBJECT.test(object ?? '') || BUILT_IN_NAME.test(name)) continue;
      found.add(name);
    }
  }
  return [...found];
}

/** Text in quotes is data. */
function withoutStrings(line: string): string {
  return line.replace(/"(?:[^"\\\n]|\\.){0,120}"|'(?:[^'\\\n]|\\.){0,120}'/g, '""');
}

/** Modules that statements name: `require('x')`, `import x`, `from x import y`, `use A\B;`, `import "host/x"`, `#include <x.h>`. */
const IMPORT =
  /\brequire(?:_relative)?[ (]\s*["']([^"'\n]{1,100})["']|\bimport\b[^"'\n;]{0,200}["']([^"'\n]{1,100})["']|\bfrom\s+["']([^"'\n]{1,100})["']|^[ \t>]{0,40}from\s+([\w.]+)\s+import\b|^[ \t>]{0,40}import\s+([\w.]+)|^[ \t>]{0,40}(?:\w+ )?"([\w-]+(?:\.\w+)+\/[\w./-]+)"$/gm;

/** Names of the modules that code in a text imports, in lower case. */
export function importedModules(text: string): string[] {
  return Array.from(text.matchAll(IMPORT), (match) =>
    match
      .slice(1)
      .find((one) => one !== undefined)!
      .toLowerCase(),
  );
}

/** True when code in the text imports one of the packages. */
export function importsPackage(text: string, packages: PackageNames): boolean {
  return importedModules(text).some((name) => {
    const scope = name.startsWith('@') ? 2 : 1;
    const own = [name, name.split('.')[0]!, name.split('/').slice(0, scope).join('/')];
    return own.some((one) => packages.has(one));
  });
}
