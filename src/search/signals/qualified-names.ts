import { shareOfNamesInPath } from '../lexical/path-mentions.ts';
import type { Signal } from './signal.ts';

/** Python imports: `from a.b import C, D as E`. */
const IMPORTS = /^[\s>]*from\s+([\w.]{2,120})\s+import\s+\(?([\w, ]{1,300})/gm;

/** Names with at least one qualifier: `a.b.C`, `a::b::C`, `a/b.C`. */
const QUALIFIED = /\b[A-Za-z_$][\w$]{0,79}(?:(?:\.|::|\/)[A-Za-z_$][\w$]{0,79}){1,8}/g;

const MAX_NAMES = 300;

/** Names with more definitions are too ambiguous for their qualifiers. */
const MAX_DEFINITIONS = 200;

/**
 * Files that define a qualified name of the text: `sklearn.linear_model.RidgeCV` is the `RidgeCV` below a folder or in a
 * file called `linear_model`. Adds the share of qualifiers in the path, divided among the best files.
 */
export const qualifiedNames: Signal = ({ code, query }) => {
  const values = new Float32Array(code.fileCount);
  for (const names of findQualifiedNames(query.text)) {
    const name = names.at(-1)!;
    const passages = code.passagesDefining(name);
    if (passages.length === 0 || passages.length > MAX_DEFINITIONS) continue;
    const files = [...new Set(passages.flatMap((passage) => code.passageFiles(passage)))];
    const shares = files.map((file) => shareOfNamesInPath(code.filePath(file), names.slice(0, -1)));
    const best = Math.max(...shares);
    if (best === 0) continue;
    const bestFiles = files.filter((_, index) => shares[index] === best);
    for (const file of bestFiles) values[file]! += best / bestFiles.length;
  }
  return values;
};

/** Distinct qualified names of the text as lists: qualifiers first, the name last. */
function findQualifiedNames(text: string): string[][] {
  const chains = new Set<string>();
  for (const [, module = '', names = ''] of text.matchAll(IMPORTS)) {
    for (const name of names.split(',')) {
      const first = name.trim().split(/\s/)[0];
      if (first) chains.add(`${module}.${first}`);
    }
  }
  for (const [chain] of text.matchAll(QUALIFIED)) chains.add(chain);
  return [...chains].slice(0, MAX_NAMES).map((chain) => chain.split(/\.|::|\//));
}
