import { posix } from 'node:path';
import type { TypeTask } from './type-task.ts';

/** Folder in which the checker sees the files of a project. */
export const PROJECT_ROOT = '/project/';

/** A text and its version, which changes with it. */
interface VersionedText {
  text: string;
  version: string;
}

/**
 * Files of a project at one revision, with one of them as it is being edited. Contents arrive on demand: a read of one that is not
 * here yet notes its path.
 */
export class ProjectFiles {
  /** Paths whose contents are needed. */
  readonly missing = new Set<string>();
  isTruncated = false;
  #oids = new Map<string, string>();
  #folders = new Set<string>();
  readonly #texts = new Map<string, VersionedText>();
  #edits = new Map<string, VersionedText>();
  #editCount = 0;
  /** Counts lists of files and contents that arrived. */
  #projectVersion = 0;

  /** Takes what a task brings. Contents of files that are the same in another revision are kept. */
  accept({ files, isTruncated, texts, path, text, unsaved }: TypeTask): void {
    if (files) this.#list(files, isTruncated);
    for (const [name, content] of Object.entries(texts)) {
      const oid = this.#oids.get(name);
      if (oid === undefined || this.#texts.has(name)) continue;
      this.#texts.set(name, { text: content ?? '', version: oid });
      this.#projectVersion += 1;
    }
    const edits = Object.entries({ ...unsaved, [path]: text });
    this.#edits = new Map(edits.map(([name, edited]) => [name, this.#versionOf(name, edited)]));
    this.missing.clear();
  }

  /** An edited text; the same text keeps its version. */
  #versionOf(path: string, text: string): VersionedText {
    const known = this.#edits.get(path);
    if (known?.text === text) return known;
    this.#editCount += 1;
    return { text, version: `edit ${this.#editCount}` };
  }

  has(path: string): boolean {
    return this.#edits.has(path) || this.#oids.has(path);
  }

  hasFolder(path: string): boolean {
    return path === '' || this.#folders.has(path);
  }

  /** Content of a file; null when it is absent or not here yet. */
  read(path: string): VersionedText | null {
    const known = this.#edits.get(path) ?? this.#texts.get(path);
    if (known) return known;
    if (this.#oids.has(path)) this.missing.add(path);
    return null;
  }

  /** Another string once anything but the text of this file has changed. */
  versionBeside(path: string): string {
    const others = [...this.#edits].filter(([name]) => name !== path);
    return [this.#projectVersion, ...others.map(([name, { version }]) => `${name} ${version}`)].join('\n');
  }

  paths(): IterableIterator<string> {
    return this.#oids.keys();
  }

  #list(files: readonly [string, string][], isTruncated: boolean): void {
    this.isTruncated = isTruncated;
    this.#projectVersion += 1;
    this.#oids = new Map(files);
    for (const [path, { version }] of this.#texts) {
      if (this.#oids.get(path) !== version) this.#texts.delete(path);
    }
    this.#folders = new Set();
    for (const path of this.#oids.keys()) {
      for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
    }
  }
}

/** Path in the project of a name that the checker uses; null for another file. */
export function projectPath(name: string): string | null {
  return name.startsWith(PROJECT_ROOT) ? name.slice(PROJECT_ROOT.length) : null;
}
