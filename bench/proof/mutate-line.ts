/** Small changes of meaning, each tried at its first place in a line. */
const MUTATIONS: readonly [RegExp, string][] = [
  [/ == /, ' != '],
  [/ != /, ' == '],
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ < /, ' >= '],
  [/ > /, ' <= '],
  [/ is not None\b/, ' is None'],
  [/ is None\b/, ' is not None'],
  [/ not in /, ' in '],
  [/\bif not /, 'if '],
  [/\bif \(!(?=\w)/, 'if ('],
  [/\bif !(?=\w)/, 'if '],
  [/ and /, ' or '],
  [/ && /, ' || '],
  [/ or /, ' and '],
  [/ \|\| /, ' && '],
  [/\bTrue\b/, 'False'],
  [/\bFalse\b/, 'True'],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/ \+ 1\b/, ' + 2'],
  [/ - 1\b/, ' - 2'],
  [/\[1:\]/, '[2:]'],
  [/\[:-1\]/, '[:-2]'],
  [/\[0\]/, '[-1]'],
  [/^(\s*)return (?!None\b|null\b|nil\b)([\w.]+)$/, '$1return None'],
  [/\.append\(/, '.count('],
  [/\.lower\(\)/, '.upper()'],
  [/\.toLowerCase\(\)/, '.toUpperCase()'],
  [/\bstartswith\(/, 'endswith('],
  [/\bslice\(1\)/, 'slice(2)'],
  [/\bmin\(/, 'max('],
  [/\bmax\(/, 'min('],
];

/** Lines whose change has no meaning: comments, texts, imports, declarations of types. */
const NO_CODE = /^\s*(?:#|\/\/|\*|\/\*|"""|'''|import |from |@|package )|TYPE_CHECKING|typing|__version__/;

/** Changes the meaning of a line of code in every way that is known. */
export function mutateLine(line: string, path: string): string[] {
  if (NO_CODE.test(line) || line.length > 160) return [];
  return MUTATIONS.flatMap(([pattern, replacement]) => {
    if (replacement.includes('None') && !path.endsWith('.py')) return [];
    const changed = line.replace(pattern, replacement);
    return changed === line ? [] : [changed];
  });
}
