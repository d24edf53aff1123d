import { shareOfNamesInPath } from '../query/path-mentions.ts';
import type { Signal } from './signal.ts';

/** `from a.b import C, D as E`: Python's way to say which of many `C` is meant. */
const IMPORTS = /^[\s>]*from\s+([\w.]{2,120})\s+import\s+\(?([\w, ]{1,300})/gm;

/** `a.b.C`, `a::b::C`, `a/b.C`: a name behind at least one name of where it lies. */
const QUALIFIED = /\b[A-Za-z_$][\w$]{0,79}(?:(?:\.|::|\/)[A-Za-z_$][\w$]{0,79}){1,8}/g;

const MAX_NAMES = 300;

/** A name that this many passages define needs more than a folder to tell which is meant. */
const MAX_DEFINITIONS = 200;

/**
 * Files that define a name which the text qualifies by where it lies: `sklearn.linear_model.RidgeCV` means the
 * `RidgeCV` below a folder or in a file called `linear_model`. Counts by the share of the qualifying names that
 * the path has, shared among the files that have the most.
 */
export const qualifiedNames: Signal = ({ code, query }) => {
  const values = new Float32Array(code.fileCount);
  for (const names of qualifiedNames(query.text)) {
    const name = names.at(-1)!;
    const passages = code.passagesDefining(name);
    if (passages.length === 0 || passages.length > MAX_DEFINITIONS) continue;
    const files = [...new Set(passages.flatMap((passage) => code.passageFiles(passage)))];
    const shares = files.map((file) => shareOfNamesInPath(code.filePath(file), names.slice(0, -1)));
    const most = Math.max(...shares);
    if (most === 0) continue;
    const meant = files.filter((_, index) => shares[index] === most);
    for (const file of meant) values[file]! += most / meant.length;
  }
  return values;
};

/** Chains of names in the text, each once: the last is what is named, those before say where. */
function qualifiedNames(text: string): string[][] {
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
