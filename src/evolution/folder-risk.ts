import type { Authors } from './authors.ts';
import { CHANGE_KINDS, type HistoryFacts } from './history-facts.ts';
import type { ScopedChanges } from './scoped-changes.ts';

/** A folder, or a file, directly below the scope's path. */
interface FolderRisk {
  path: string;
  kind: 'folder' | 'file';
  /** Changed code files, and people who changed them. */
  files: number;
  people: number;
  /** Changes of single files, those old enough to judge, and those of them that a fix of the same file followed. */
  changes: number;
  judged: number;
  followed: number;
  /** 95 % confidence interval of followed ÷ judged (Wilson); null when nothing is judged. */
  interval: { low: number; high: number } | null;
}

/** Days within which a fix of the same file counts as following a change. */
const FOLLOW_UP_DAYS = 30;

interface Folder {
  files: Set<number>;
  people: Set<number>;
  changes: number;
  judged: number;
  followed: number;
}

/**
 * Measures how often a change to a code file was followed by a fix of the same file within 30 days, by folder below
 * `path`, or below the only one there. Changes of the last 30 days before `to` are counted and not judged. Highest lower bound first.
 */
export function measureFolderRisk(
  scope: ScopedChanges,
  options: { facts: HistoryFacts; authors: Authors; path: string; to: number },
): FolderRisk[] {
  const { facts, authors, path, to } = options;
  const { times, kinds, isCode } = facts;
  const window = FOLLOW_UP_DAYS * 86_400;
  const folders = new Map<string, Folder>();
  /** By file: changes that a fix may still follow, oldest first. */
  const open = new Map<number, { time: number; folder: Folder }[]>();
  scope.commits.forEach((commit, position) => {
    const time = times[commit]!;
    const author = authors.authorOf[commit]!;
    for (const file of scope.files(position)) {
      if (isCode[file] === 0) continue;
      const folder = findFolder(folders, childOf(facts.paths[file]!, path));
      const pending = (open.get(file) ?? []).filter((change) => time - change.time <= window);
      if (kinds[commit] === CHANGE_KINDS.fix) {
        for (const change of pending.splice(0)) change.folder.followed++;
      }
      folder.files.add(file);
      if (!authors.bots[author]) folder.people.add(author);
      folder.changes++;
      if (time <= to - window) {
        folder.judged++;
        pending.push({ time, folder });
      }
      open.set(file, pending);
    }
  });
  const [only] = folders.keys();
  const isOnlyFolder = folders.size === 1 && only !== path && facts.paths.every((file) => file !== only);
  if (isOnlyFolder) return measureFolderRisk(scope, { ...options, path: only! });
  return Array.from(
    folders,
    ([name, { files, people, ...counts }]): FolderRisk => ({
      path: name,
      kind: files.size === 1 && facts.paths[[...files][0]!] === name ? 'file' : 'folder',
      files: files.size,
      people: people.size,
      ...counts,
      interval: wilsonInterval(counts.followed, counts.judged),
    }),
  ).sort((a, b) => (b.interval?.low ?? -1) - (a.interval?.low ?? -1) || b.changes - a.changes);
}

/** 95 % confidence interval of a share; null without cases. */
export function wilsonInterval(hits: number, cases: number): { low: number; high: number } | null {
  if (cases === 0) return null;
  const z = 1.96;
  const share = hits / cases;
  const scale = 1 + (z * z) / cases;
  const middle = share + (z * z) / (2 * cases);
  const margin = z * Math.sqrt((share * (1 - share)) / cases + (z * z) / (4 * cases * cases));
  return { low: Math.max(0, (middle - margin) / scale), high: Math.min(1, (middle + margin) / scale) };
}

/** The folder directly below `path` that holds a file, or the file itself. */
function childOf(file: string, path: string): string {
  const start = path === '' ? 0 : path.length + 1;
  const slash = file.indexOf('/', start);
  return slash === -1 ? file : file.slice(0, slash);
}

function findFolder(folders: Map<string, Folder>, path: string): Folder {
  const known = folders.get(path);
  if (known) return known;
  const folder: Folder = { files: new Set(), people: new Set(), changes: 0, judged: 0, followed: 0 };
  folders.set(path, folder);
  return folder;
}
