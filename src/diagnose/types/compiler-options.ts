import { posix } from 'node:path';
import ts from 'typescript-api';
import { PROJECT_ROOT, type ProjectFiles } from './project-files.ts';

/** Options of a program, and what its configuration expects beyond the project. */
export interface ProgramOptions {
  options: ts.CompilerOptions;
  /** JavaScript is checked as strictly as TypeScript. */
  checksJs: boolean;
  /** Packages whose types are global: the entries of `types`. */
  globalTypes: string[];
}

/** Larger configurations are ignored. */
const MAX_CONFIG_LENGTH = 64 * 2 ** 10;
/** Configurations that one file is read from. */
const MAX_CONFIGS = 16;
const MAX_REFERENCES = 20;
const MAX_PATH_PATTERNS = 200;

/** Options that decide about findings. All others, plugins among them, are ignored. */
const USED_OPTIONS = new Set(
  [
    'checkJs strict noImplicitAny strictNullChecks strictFunctionTypes strictBindCallApply alwaysStrict',
    'strictPropertyInitialization strictBuiltinIteratorReturn noImplicitThis useUnknownInCatchVariables',
    'exactOptionalPropertyTypes noUncheckedIndexedAccess noPropertyAccessFromIndexSignature noImplicitReturns',
    'noImplicitOverride noFallthroughCasesInSwitch noUnusedLocals noUnusedParameters allowUnusedLabels',
    'allowUnreachableCode target lib module moduleResolution moduleDetection paths baseUrl rootDirs',
    'experimentalDecorators emitDecoratorMetadata useDefineForClassFields resolveJsonModule isolatedModules',
    'rewriteRelativeImportExtensions allowArbitraryExtensions verbatimModuleSyntax',
    'erasableSyntaxOnly allowUmdGlobalAccess customConditions',
  ].flatMap((line) => line.split(' ')),
);

/** Options of every program: it is only checked, and nothing comes from outside of the project. */
const FIXED_OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  skipLibCheck: true,
  types: [],
  typeRoots: [],
  // Elements are checked without a runtime, which would be a package.
  jsx: ts.JsxEmit.Preserve,
  esModuleInterop: true,
  noUncheckedSideEffectImports: false,
  allowImportingTsExtensions: true,
  ignoreDeprecations: '6.0',
  allowJs: true,
  checkJs: true,
};

/** Options without a configuration; strictness must be chosen by the project. */
const DEFAULT_OPTIONS: ts.CompilerOptions = {
  strict: false,
  target: ts.ScriptTarget.ESNext,
  resolveJsonModule: true,
};

const DEFAULT_MODULES: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

type JsonObject = Record<string, unknown>;

/** Reads the options for a file from the nearest `tsconfig.json` or `jsconfig.json`, as data. */
export function readProgramOptions(files: ProjectFiles, path: string): ProgramOptions {
  const config = findConfig(files, path);
  const raw = config === null ? {} : readOptions(files, config, { left: MAX_CONFIGS });
  const used = Object.fromEntries(Object.entries(raw).filter(([name]) => USED_OPTIONS.has(name)));
  const { options } = ts.convertCompilerOptionsFromJson(used, PROJECT_ROOT);
  const choosesModules = options.module !== undefined || options.moduleResolution !== undefined;
  return {
    options: {
      ...DEFAULT_OPTIONS,
      ...(!choosesModules && DEFAULT_MODULES),
      ...options,
      ...(options.lib && { lib: withDom(options.lib) }),
      ...FIXED_OPTIONS,
    },
    checksJs: raw.checkJs === true,
    globalTypes: stringsOf(raw.types),
  };
}

/** Adds the types of browsers, which stand for those of the platform: the packages with them are not there. */
function withDom(libs: readonly string[]): string[] {
  const hasPlatform = libs.some((lib) => /^lib\.(?:dom|webworker)\.d\.ts$/.test(lib));
  return hasPlatform ? [...libs] : [...libs, 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'];
}

/** Path of the configuration of a file: the nearest one above it, or one that it refers to. */
function findConfig(files: ProjectFiles, path: string): string | null {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const found = posix.join(folder, name);
      if (files.has(found)) return findReferenced(files, found, path) ?? found;
    }
    if (folder === '.') return null;
  }
}

/** The first of the projects that a configuration without files refers to, the file's own folder first. */
function findReferenced(files: ProjectFiles, config: string, path: string): string | null {
  const { files: own, references } = readConfig(files, config);
  if (!Array.isArray(references) || !Array.isArray(own) || own.length > 0) return null;
  const referenced = references.slice(0, MAX_REFERENCES).flatMap((reference) => {
    const target = reference?.path;
    if (typeof target !== 'string') return [];
    const joined = posix.join(posix.dirname(config), target);
    return [joined, posix.join(joined, 'tsconfig.json')].filter((name) => files.has(name)).slice(0, 1);
  });
  const isBelow = (name: string) => path.startsWith(`${posix.dirname(name)}/`);
  return (
    referenced.find(isBelow) ??
    referenced.find((name) => posix.dirname(name) === posix.dirname(config)) ??
    null
  );
}

/** Options of a configuration and of those in the project that it extends. Each is read once at most, so cycles end. */
function readOptions(files: ProjectFiles, path: string, budget: { left: number }): JsonObject {
  if (budget.left-- <= 0) return {};
  const config = readConfig(files, path);
  const folder = posix.dirname(path);
  let options: JsonObject = {};
  for (const name of stringsOf(typeof config.extends === 'string' ? [config.extends] : config.extends)) {
    const base = findExtended(files, folder, name);
    // Published configurations are strict.
    options = { ...options, ...(base === null ? { strict: true } : readOptions(files, base, budget)) };
  }
  const own = isObject(config.compilerOptions) ? config.compilerOptions : {};
  const baseUrl =
    typeof own.baseUrl === 'string' ? posix.join(PROJECT_ROOT, folder, own.baseUrl) : options.baseUrl;
  const from = typeof baseUrl === 'string' ? baseUrl : posix.join(PROJECT_ROOT, folder);
  return {
    ...options,
    ...own,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(isObject(own.paths) && { paths: rebasePaths(own.paths, from) }),
    ...(own.rootDirs !== undefined && {
      rootDirs: stringsOf(own.rootDirs).map((dir) => posix.join(PROJECT_ROOT, folder, dir)),
    }),
  };
}

/** Configuration in the project that another extends; null for one of a package or outside. */
function findExtended(files: ProjectFiles, folder: string, name: string): string | null {
  if (!/^\.{1,2}(?:\/|$)/.test(name)) return null;
  const path = posix.join(folder, name);
  return [path, `${path}.json`, posix.join(path, 'tsconfig.json')].find((one) => files.has(one)) ?? null;
}

function rebasePaths(paths: JsonObject, from: string): JsonObject {
  return Object.fromEntries(
    Object.entries(paths)
      .slice(0, MAX_PATH_PATTERNS)
      .map(([pattern, targets]) => [
        pattern,
        stringsOf(targets)
          .slice(0, 10)
          .map((target) => posix.join(from, target)),
      ]),
  );
}

function readConfig(files: ProjectFiles, path: string): JsonObject {
  const text = files.read(path)?.text ?? '';
  if (text.length > MAX_CONFIG_LENGTH) return {};
  const { config } = ts.parseConfigFileTextToJson(path, text);
  return isObject(config) ? config : {};
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
