import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { AMBIENT_FILE } from './ambient-types.ts';
import { findChangedLines, findChangedStatements, moveFindings } from './changed-lines.ts';
import { findFixes } from './code-fixes.ts';
import { type CollectedProgram, ProgramCollector } from './collect-program.ts';
import { type ProgramOptions, readProgramOptions } from './compiler-options.ts';
import { PROJECT_ROOT, ProjectFiles, projectPath } from './project-files.ts';
import { createTrustFilter } from './trusted-findings.ts';
import type { TypeDiagnosis, TypeReply, TypeTask } from './type-task.ts';
import { toDiagnostic } from './typescript-diagnostic.ts';

/** Declarations of the language and of browsers, which come with the checker. */
const LIB_FOLDER = dirname(fileURLToPath(import.meta.resolve('typescript-api')));
const LIB_FILE = /^lib(?:\.[\w-]+)*\.d\.ts$/;
/** Findings of one file. */
const MAX_FINDINGS = 200;
/** Names of packages that are listed. */
const MAX_PACKAGES = 200;

/** A check and its text, valid while nothing but this text has changed. */
interface LastCheck {
  key: string;
  text: string;
  withFixes: boolean;
  diagnosis: TypeDiagnosis;
}

/** A program with the parameter that the types of TypeScript leave out, by which its server checks a region of a file first. */
interface PartlyChecked extends ts.Program {
  getSemanticDiagnostics(
    source?: ts.SourceFile,
    token?: ts.CancellationToken,
    nodes?: readonly ts.Node[],
  ): readonly ts.Diagnostic[];
}

/**
 * Checks types of one project's files, of which it keeps the program: another check reads and binds only what has changed. Nothing
 * of the project is run, and nothing outside of it is read but the declarations of the language.
 */
export class TypeService {
  readonly #files = new ProjectFiles();
  readonly #collector: ProgramCollector;
  readonly #service: ts.LanguageService;
  #program: CollectedProgram = { roots: [], members: new Set(), packages: [], ambient: '' };
  #configured: ProgramOptions = { options: {}, checksJs: false, globalTypes: [] };
  #optionsKey = '';
  #last: LastCheck | null = null;
  readonly #libs = new Map<string, ts.IScriptSnapshot | undefined>();

  constructor() {
    const host = this.#createHost();
    this.#collector = new ProgramCollector(this.#files, host);
    this.#service = ts.createLanguageService(host, ts.createDocumentRegistry(true));
  }

  /** Answers with the findings, or with the paths whose contents it needs first. */
  check(task: TypeTask): TypeReply {
    this.#files.accept(task);
    this.#configure(task.path);
    this.#program = this.#collector.collect(task.path, this.#configured);
    const { missing } = this.#files;
    if (missing.size > 0 && !task.isLastStep) return { missing: [...missing] };
    return this.#diagnose(task);
  }

  #configure(path: string): void {
    const configured = readProgramOptions(this.#files, path);
    const key = JSON.stringify(configured);
    // The same object says that nothing has to be resolved again.
    if (key !== this.#optionsKey) this.#configured = configured;
    this.#optionsKey = key;
  }

  #diagnose(task: TypeTask): TypeDiagnosis {
    const { path, text, withFixes, onlyChanges = false } = task;
    const key = [path, this.#optionsKey, this.#files.versionBeside(path)].join('\n');
    const last = this.#last?.key === key ? this.#last : null;
    const isKnown = last?.text === text && !last.diagnosis.isPartial && (last.withFixes || !withFixes);
    if (isKnown) return last.diagnosis;
    const diagnosis = (onlyChanges && last && this.#checkChanges(task, last)) || this.#checkFile(task);
    this.#last = { key, text, withFixes, diagnosis };
    return diagnosis;
  }

  /** Checks the statements that differ from the last text; null where that would be most of the file. */
  #checkChanges({ path, text }: TypeTask, last: LastCheck): TypeDiagnosis | null {
    const program: PartlyChecked | undefined = this.#service.getProgram();
    const source = program?.getSourceFile(PROJECT_ROOT + path);
    const changed = source && findChangedStatements(source, findChangedLines(last.text, text));
    if (!program || !changed) return null;
    const { nodes, lines } = changed;
    const found = program.getSemanticDiagnostics(source, undefined, nodes);
    const { trusted } = this.#trust({ program, source }, found);
    const fresh = trusted
      .map((one) => toDiagnostic(one, text))
      .filter(({ line }) => line >= lines.from && line <= lines.to);
    return {
      ...last.diagnosis,
      diagnostics: [...moveFindings(last.diagnosis.diagnostics, lines), ...fresh].slice(0, MAX_FINDINGS),
      missingPackages: packageNames(this.#program.packages),
      isPartial: true,
    };
  }

  #checkFile({ path, text, withFixes }: TypeTask): TypeDiagnosis {
    const name = PROJECT_ROOT + path;
    const program = this.#service.getProgram();
    const source = program?.getSourceFile(name);
    if (!program || !source) return { diagnostics: [], hidden: 0, missingPackages: [] };
    const found = this.#service.getSemanticDiagnostics(name);
    const { trusted, hidden } = this.#trust({ program, source }, found);
    const kept = trusted.slice(0, MAX_FINDINGS);
    const fixes = withFixes ? findFixes(this.#service, source, kept) : null;
    return {
      diagnostics: kept.map((one) => ({ ...toDiagnostic(one, text), ...fixes?.get(one) })),
      hidden,
      missingPackages: packageNames(this.#program.packages),
    };
  }

  /** Findings that hold without the packages of the project, and the number of the others. */
  #trust(
    { program, source }: { program: ts.Program; source: ts.SourceFile },
    found: readonly ts.Diagnostic[],
  ) {
    const isTrusted = createTrustFilter({
      program,
      source,
      packages: new Set(this.#program.packages),
      ...this.#configured,
      isTruncated: this.#files.isTruncated,
      hasFolder: (folder) => this.#files.hasFolder(folder),
    });
    const trusted = found.filter(isTrusted);
    return { trusted, hidden: found.length - trusted.length };
  }

  #createHost(): ts.LanguageServiceHost & ts.ModuleResolutionHost {
    const files = this.#files;
    const pathOf = projectPath;
    const fileExists = (name: string) => {
      const path = pathOf(name);
      return path === null ? this.#libSnapshot(name) !== undefined : files.has(path);
    };
    const readFile = (name: string) => {
      const path = pathOf(name);
      return path === null ? undefined : files.read(path)?.text;
    };
    return {
      fileExists,
      readFile,
      directoryExists(name) {
        const path = pathOf(`${name}/`.replace(/\/+$/, '/'));
        return path !== null && files.hasFolder(path.slice(0, -1));
      },
      getDirectories: () => [],
      realpath: (name) => name,
      getCurrentDirectory: () => PROJECT_ROOT.slice(0, -1),
      getDefaultLibFileName: (options) => `${LIB_FOLDER}/${ts.getDefaultLibFileName(options)}`,
      getCompilationSettings: () => this.#configured.options,
      getScriptFileNames: () => [...this.#program.roots, AMBIENT_FILE],
      getScriptVersion: (name) => {
        if (name === AMBIENT_FILE) return this.#program.ambient;
        const path = pathOf(name);
        return path === null ? '1' : (files.read(path)?.version ?? '');
      },
      getScriptSnapshot: (name) => this.#snapshot(name),
      useCaseSensitiveFileNames: () => true,
    };
  }

  #snapshot(name: string): ts.IScriptSnapshot | undefined {
    if (name === AMBIENT_FILE) return ts.ScriptSnapshot.fromString(this.#program.ambient);
    const path = projectPath(name);
    if (path === null) return this.#libSnapshot(name);
    const content = this.#program.members.has(path) ? this.#files.read(path) : null;
    return content ? ts.ScriptSnapshot.fromString(content.text) : undefined;
  }

  #libSnapshot(name: string): ts.IScriptSnapshot | undefined {
    const base = name.slice(LIB_FOLDER.length + 1);
    if (!name.startsWith(`${LIB_FOLDER}/`) || !LIB_FILE.test(base)) return undefined;
    if (!this.#libs.has(base)) {
      this.#libs.set(base, readLib(`${LIB_FOLDER}/${base}`));
    }
    return this.#libs.get(base);
  }
}

function readLib(path: string): ts.IScriptSnapshot | undefined {
  try {
    return ts.ScriptSnapshot.fromString(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Packages of module names, once each: `react` of `react/jsx-runtime`. */
function packageNames(modules: readonly string[]): string[] {
  const names = modules.map((name) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  return [...new Set(names)].filter((name) => !/^(?:node:|#|~|@$)/.test(name)).slice(0, MAX_PACKAGES);
}
