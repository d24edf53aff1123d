import { posix } from 'node:path';
import type { CodeTable } from '#memory/repository-index.ts';
import { isBelow, pathKind } from '../evidence/path-kinds.ts';
import { matchFolderName, type matchPaths } from '../evidence/path-match.ts';
import { bestOf } from '../evidence/subject.ts';
import type { Reading } from '../understand/reading.ts';
import type { TopicPlace } from '../understand/topic-places.ts';

/** A file that may belong to a feature. */
export interface FeatureFile {
  path: string;
  score: number;
  /** Definition that fits the feature best; null for a file found by its path. */
  place: TopicPlace | null;
}

/** Files are listed down to this share of the best score. */
export const MIN_SHARE = 0.55;
/** Share of the best score from which a file brings along the others of a folder with the feature's name. */
const NAMED_FOLDER_SHARE = 0.8;
/** Larger folders hold more than one feature. */
const MAX_FOLDER_FILES = 60;
const FOLDER_SHARE = 0.85;
/** Share of a folder's name that the question has, and of the question's information in it, where the folder is the feature. */
const MIN_MODULE_FIT = 0.7;
const MIN_MODULE_COVERAGE = 0.35;
/** So many words of one name are in a question by no accident. */
const MIN_MODULE_WORDS = 3;
const CONFIGURATION = /\.(?:json|ya?ml|toml|lock|xml|cfg|ini|sh|ac|am|m4|in|podspec)$|(?:^|\/)\./i;

/** True for source code, which forms a feature, rather than its tests, documents and settings. */
export function isFeatureSource(path: string): boolean {
  return pathKind(path) === 'source' && !CONFIGURATION.test(path);
}

/** A folder that the question names is the feature, unless its words single out files in it. */
export function addFolder({ mentions }: Reading, files: FeatureFile[], code: CodeTable): void {
  const [folder] = bestOf(mentions, 'folder');
  if (!folder || folder.score < 0.7 || files.some(({ score }) => score > 0.75)) return;
  const prefix = `${folder.entity.path.replace(/\/+$/, '')}/`;
  const best = Math.max(0.6, ...files.map(({ score }) => score));
  for (let file = 0; file < code.fileCount; file++) {
    const path = code.filePath(file);
    if (!path.startsWith(prefix) || posix.dirname(path) !== prefix.slice(0, -1)) continue;
    const known = files.find((one) => one.path === path);
    if (known) known.score = Math.max(known.score, best);
    else files.push({ path, score: 0.9 * best, place: null });
  }
}

/** A folder is the feature when its name is that of the feature, or when its name makes three of the best files. */
export function fillFolders(
  files: FeatureFile[],
  paths: ReturnType<typeof matchPaths>,
  code: CodeTable,
): void {
  const matches = new Map(paths.map((match) => [match.path, match]));
  const sources = files.filter(({ path }) => isFeatureSource(path));
  const best = Math.max(0, ...sources.map(({ score }) => score));
  const top = sources.filter(({ score }) => score >= MIN_SHARE * best);
  for (const [folder, members] of Map.groupBy(top, ({ path }) => posix.dirname(path))) {
    const byName = members.filter(
      ({ path, score }) => score >= NAMED_FOLDER_SHARE * best && matches.get(path)?.isInNamedFolder,
    );
    const byFolder = members.filter(({ path }) => matches.get(path)?.byFolder);
    if ((byName.length === 0 && byFolder.length < 3) || folder === '.') continue;
    const siblings = filesIn(folder, code);
    if (siblings.length > MAX_FOLDER_FILES) continue;
    // Files that are there for their folder's name alone come last.
    const share = byFolder.length < 3 ? MIN_SHARE : FOLDER_SHARE;
    const score = Math.max(share * Math.max(...members.map((one) => one.score)), MIN_SHARE * best);
    for (const path of siblings) {
      const known = files.find((one) => one.path === path);
      if (known) known.score = Math.max(known.score, score);
      else files.push({ path, score, place: null });
    }
  }
}

function filesIn(folder: string, code: CodeTable): string[] {
  return Array.from({ length: code.fileCount }, (_, file) => code.filePath(file)).filter(
    (path) => posix.dirname(path) === folder,
  );
}

/** Adds, last, all files below a folder above the best ones that has the name of the feature, such as that of a subproject. */
export function addModules(question: string, files: FeatureFile[], code: CodeTable): void {
  const fitOf = matchFolderName(question, code);
  const best = Math.max(0, ...files.filter(({ path }) => isFeatureSource(path)).map(({ score }) => score));
  const top = files.filter(({ path, score }) => isFeatureSource(path) && score >= NAMED_FOLDER_SHARE * best);
  const modules = [...new Set(top.flatMap(({ path }) => foldersOf(path)))].filter((folder) => {
    const { nameFit, words, coverage } = fitOf(folder);
    return nameFit >= MIN_MODULE_FIT && (words >= MIN_MODULE_WORDS || coverage >= MIN_MODULE_COVERAGE);
  });
  for (const folder of modules) {
    const inside = Array.from({ length: code.fileCount }, (_, file) => code.filePath(file)).filter((path) =>
      isBelow(path, folder),
    );
    if (inside.length > MAX_FOLDER_FILES) continue;
    const score = MIN_SHARE * Math.max(...files.map((file) => file.score));
    for (const path of inside) {
      const known = files.find((one) => one.path === path);
      if (known) known.score = Math.max(known.score, score);
      else files.push({ path, score, place: null });
    }
  }
}

/** Folders above a file, the nearest first. */
function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
