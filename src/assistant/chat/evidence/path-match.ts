import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import { type TopicWord, topicWords } from '../understand/topic-words.ts';
import { fileStem } from './path-kinds.ts';

/** File whose path fits a topic. */
interface PathMatch {
  file: number;
  path: string;
  /** Share of the words of the file's own name that the topic has, 0 to 1. */
  nameFit: number;
  /** Share of the topic's information in the path, 0 to 1. */
  coverage: number;
  /** True when a folder of the path, rather than the file's name, has the topic's words. */
  byFolder: boolean;
  /** True when the folder of the file is named by one of the more informative words of the topic. */
  isInNamedFolder: boolean;
}

/** Words of at least this length match others that begin with them. */
const MIN_PREFIX = 5;
const MAX_ENDING = 6;
const PREFIX_STRENGTH = 0.75;
const FOLDER_STRENGTH = 0.9;
/** Words of the same origin in two languages, such as `Strategien` and `strategy`, share this much. */
const MIN_COGNATE_PREFIX = 6;
const MIN_COGNATE_SHARE = 0.7;
/** Information of a word that names a folder, compared with the most informative one of the topic. */
const MIN_FOLDER_INFORMATION = 0.4;

interface PathTerms {
  file: number;
  path: string;
  name: Set<string>;
  folders: Set<string>;
  /** Terms of the last folder. */
  folder: Set<string>;
}

/** Terms of all paths of an index. */
const pathTerms = memoizeByIdentity((code: CodeTable): PathTerms[] =>
  Array.from({ length: code.fileCount }, (_, file) => {
    const path = code.filePath(file);
    const stem = fileStem(path).replace(/[.-]/g, ' ');
    const folders = path.split('/').slice(0, -1).join(' ').replace(/[.-]/g, ' ');
    const folder = (path.split('/').at(-2) ?? '').replace(/[.-]/g, ' ');
    return {
      ...{ file, path },
      name: new Set(partsOf(stem)),
      folders: new Set(partsOf(folders)),
      folder: new Set(partsOf(folder)),
    };
  }),
);

/** Number of paths with each term. */
const pathFrequency = memoizeByIdentity((code: CodeTable): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { name, folders } of pathTerms(code)) {
    for (const term of new Set([...name, ...folders])) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
});

function partsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => cachedWordTerms(word));
}

/** Finds the files whose names and folders have words of a topic, best first. */
export function matchPaths(
  topic: string,
  code: CodeTable,
  { ignored = new Set<string>() } = {},
): PathMatch[] {
  const { matching, weights, total } = weighTopic(topic, code, ignored);
  if (total === 0) return [];
  const informative = MIN_FOLDER_INFORMATION * Math.max(...weights);
  const found: PathMatch[] = [];
  for (const { file, path, name, folders, folder } of pathTerms(code)) {
    let [own, inFolders] = [0, 0];
    let isInNamedFolder = false;
    const fitting = new Set<string>();
    matching.forEach((terms, i) => {
      const inName = bestIn(name, terms, fitting);
      const inFolder = FOLDER_STRENGTH * bestIn(folders, terms);
      own += weights[i]! * inName;
      inFolders += weights[i]! * Math.max(inName, inFolder);
      isInNamedFolder ||= inFolder > 0 && weights[i]! >= informative && bestIn(folder, terms) > 0;
    });
    if (inFolders === 0) continue;
    const nameFit = name.size === 0 ? 0 : fitting.size / name.size;
    found.push({
      ...{ file, path, nameFit, isInNamedFolder },
      coverage: inFolders / total,
      byFolder: inFolders > own,
    });
  }
  return found.toSorted(
    (a, b) => b.coverage * (1 + b.nameFit) - a.coverage * (1 + a.nameFit) || a.path.localeCompare(b.path),
  );
}

/** Fit of a folder to a topic by its own name: the share and number of the name's words, and the topic's information in it. */
export function matchFolderName(
  topic: string,
  code: CodeTable,
): (folder: string) => { nameFit: number; words: number; coverage: number } {
  const { matching, weights, total } = weighTopic(topic, code);
  return (folder) => {
    const name = new Set(partsOf(folder.slice(folder.lastIndexOf('/') + 1).replace(/[.-]/g, ' ')));
    const fitting = new Set<string>();
    const covered = matching.reduce((sum, terms, i) => sum + weights[i]! * bestIn(name, terms, fitting), 0);
    if (name.size === 0 || total === 0) return { nameFit: 0, words: 0, coverage: 0 };
    return { nameFit: fitting.size / name.size, words: fitting.size, coverage: covered / total };
  };
}

/** Path terms that each word of a topic means, and the information of the words. */
function weighTopic(topic: string, code: CodeTable, ignored: ReadonlySet<string> = new Set()) {
  const words = topicWords(topic).filter(({ word }) => !ignored.has(word));
  const frequency = pathFrequency(code);
  const matching = words.map((word) => matchingTerms(word, frequency));
  const weights = words.map(({ weight }, i) => {
    const most = Math.max(0, ...[...matching[i]!.keys()].map((term) => frequency.get(term)!));
    return most === 0 ? 0 : weight * Math.log(1 + code.fileCount / most);
  });
  return { matching, weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
}

/** Path terms that a word of the topic means, with their strengths. */
function matchingTerms(
  { word, variants }: TopicWord,
  frequency: ReadonlyMap<string, number>,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const { term, strength } of variants) if (frequency.has(term)) found.set(term, strength);
  for (const term of frequency.keys()) {
    if (!found.has(term) && sharesStem(word, term)) found.set(term, PREFIX_STRENGTH);
  }
  return found;
}

/** True for words of one family: `inject` and `injection`, `config` and `configuration`. */
function sharesStem(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < MIN_PREFIX || long.length - short.length > MAX_ENDING) return false;
  if (long.startsWith(short)) return true;
  const least = Math.max(MIN_COGNATE_PREFIX, Math.ceil(MIN_COGNATE_SHARE * long.length));
  return short.length >= least && long.startsWith(short.slice(0, least));
}

function bestIn(
  terms: ReadonlySet<string>,
  matching: ReadonlyMap<string, number>,
  fitting?: Set<string>,
): number {
  let best = 0;
  for (const [term, strength] of matching) {
    if (!terms.has(term)) continue;
    fitting?.add(term);
    best = Math.max(best, strength);
  }
  return best;
}
