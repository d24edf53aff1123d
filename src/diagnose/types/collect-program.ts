import { posix } from 'node:path';
import ts from 'typescript-api';
import { ambientTypes } from './ambient-types.ts';
import type { ProgramOptions } from './compiler-options.ts';
import { PROJECT_ROOT, type ProjectFiles, projectPath } from './project-files.ts';
import { isTypedPath } from './type-task.ts';

/** Files that one program holds, and characters of all of them. */
const MAX_FILES = 1_500;
const MAX_LENGTH = 16 * 2 ** 20;
/** Declarations of global types, which a program holds though nothing imports them. */
const MAX_AMBIENT_FILES = 100;

/** Imports of a text, read without parsing it. */
interface FileImports {
  version: string;
  names: string[];
  references: string[];
  ambientModules: string[];
}

/** A file with all that it imports from the project. */
export interface CollectedProgram {
  /** Names of the files that nothing needs to import. */
  roots: string[];
  /** Paths that belong to the program. */
  members: Set<string>;
  /** Names of modules that are packages, or that a package would provide. */
  packages: string[];
  /** Declarations of what is not in the project. */
  ambient: string;
}

/** Collects programs, and keeps what it has read of each file. */
export class ProgramCollector {
  readonly #files: ProjectFiles;
  readonly #host: ts.ModuleResolutionHost;
  readonly #imports = new Map<string, FileImports>();
  readonly #hasGlobals = new Map<string, boolean>();

  constructor(files: ProjectFiles, host: ts.ModuleResolutionHost) {
    this.#files = files;
    this.#host = host;
  }

  /** Follows imports from a file, as far as contents are here. */
  collect(edited: string, { options }: ProgramOptions): CollectedProgram {
    const globals = this.#ambientFiles(edited);
    const members = new Set([edited, ...globals]);
    const packages = new Set<string>();
    const declared = new Set<string>();
    let length = 0;
    for (const path of members) {
      const found = this.#importsOf(path);
      length += found?.length ?? 0;
      if (!found || length > MAX_LENGTH) continue;
      for (const name of found.imports.ambientModules) declared.add(name);
      const targets = [
        ...found.imports.names.map((name) => this.#resolve(name, path, { options, packages })),
        ...found.imports.references.map((name) => posix.join(posix.dirname(path), name)),
      ];
      for (const target of targets) {
        if (target !== null && members.size < MAX_FILES && this.#files.has(target)) members.add(target);
      }
    }
    const missing = [...packages].filter((name) => !isDeclared(name, declared)).sort();
    return {
      roots: [edited, ...globals].map((path) => PROJECT_ROOT + path),
      members,
      packages: missing,
      ambient: ambientTypes(missing),
    };
  }

  /** Path of a module in the project; null for a package, which is noted, and for a file that is not there. */
  #resolve(
    name: string,
    from: string,
    { options, packages }: { options: ts.CompilerOptions; packages: Set<string> },
  ): string | null {
    const { resolvedModule } = ts.resolveModuleName(name, PROJECT_ROOT + from, options, this.#host);
    const path = resolvedModule ? projectPath(resolvedModule.resolvedFileName) : null;
    if (path === null && !/^\.{0,2}\//.test(name) && !/^\.{1,2}$/.test(name)) packages.add(name);
    return path;
  }

  #importsOf(path: string): { imports: FileImports; length: number } | null {
    const content = this.#files.read(path);
    if (!content) return null;
    const { text, version } = content;
    const known = this.#imports.get(path);
    if (known?.version === version) return { imports: known, length: text.length };
    const read = isTypedPath(path) ? ts.preProcessFile(text, true, true) : null;
    const imports: FileImports = {
      version,
      names: [...new Set(read?.importedFiles.map(({ fileName }) => fileName))],
      references: read?.referencedFiles.map(({ fileName }) => fileName) ?? [],
      ambientModules: read?.ambientExternalModules ?? [],
    };
    this.#imports.set(path, imports);
    return { imports, length: text.length };
  }

  /** Declaration files with global types, of the folders above the edited file. */
  #ambientFiles(edited: string): string[] {
    const found: string[] = [];
    let read = 0;
    for (const path of this.#files.paths()) {
      if (!isAmbientCandidate(path, edited)) continue;
      if (++read > MAX_AMBIENT_FILES) break;
      const content = this.#files.read(path);
      if (!content) continue;
      const key = `${path} ${content.version}`;
      const known = this.#hasGlobals.get(key) ?? declaresGlobals(content.text);
      this.#hasGlobals.set(key, known);
      if (known) found.push(path);
    }
    return found;
  }
}

/** Folders of outputs and of tests of types, whose declarations do not belong to the program. */
const NOT_AMBIENT =
  /(?:^|\/)(?:dist|build|out|lib|node_modules|vendor|fixtures?|test|tests|__tests__|examples?)\//;

/** True for a declaration file that is not the twin of a JavaScript file and lies where the edited file may see it. */
function isAmbientCandidate(path: string, edited: string): boolean {
  if (!path.endsWith('.d.ts') || path === edited) return false;
  const [root = ''] = path.split('/');
  const inSameTree =
    !path.includes('/') || edited.startsWith(`${root}/`) || root === 'types' || root === 'typings';
  return inSameTree && !NOT_AMBIENT.test(path);
}

function declaresGlobals(text: string): boolean {
  const isModule = /^\s*(?:import|export)\b/m.test(text);
  return !isModule || /\bdeclare\s+(?:global|module\s+['"])/.test(text);
}

function isDeclared(name: string, declared: ReadonlySet<string>): boolean {
  if (declared.has(name)) return true;
  return [...declared].some((pattern) => {
    const [start, end, ...more] = pattern.split('*');
    return end !== undefined && more.length === 0 && name.startsWith(start!) && name.endsWith(end);
  });
}
