import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import type { PackageNames } from '../locate/package-names.ts';
import { termShare } from './report-topic.ts';
import { reporterLines } from './reporter-words.ts';

/** Names by which texts refer to a project, in lower case. */
interface ProjectNames {
  /** Names that are no common word: of packages, modules and commands. */
  names: string[];
  /** The same with those of two and three letters, as they stand before a message of a command. */
  programs: string[];
}

/** A name of a larger share of all commit messages is a word. */
const MAX_NAME_SHARE = 6e-4;
/** Shorter names are also abbreviations and extensions of files. */
const MIN_NAME_LENGTH = 4;
const MIN_PROGRAM_LENGTH = 2;
const MAX_NAMES = 40;
const MAX_FILES = 20_000;

/** Folders of the packages of a repository with several. */
const MEMBER_FOLDER = /^(?:packages|crates|modules|libs?|src)\/[^/]+\/$/;
/** Files that are named after what a user calls or imports. */
const NAMED_FILE =
  /^(?:bin|exe|src\/bin|libexec)\/([\w.-]+?)(?:\.(?:[cm]?js|ts|py|rb|pl|sh|php|lua|rs))?$|^cmd\/([\w-]+)\/(?:main|\2)\.go$|^(?:src\/)?([a-z]\w+)\/__(?:init|main)__\.py$|^(?:lib|lua)\/(\w+)\.(?:rb|pm|lua)$|^include\/([\w-]+)\//;
/** A program at the root: without an extension or a script of a shell. */
const ROOT_PROGRAM = /^[a-z][\w-]*(?:\.[\w-]+)?(?:\.sh)?$/;
const PROGRAM_LANGUAGE = /^(?:shell|bash|sh|perl|lua|python|ruby|php|javascript|awk|tcl)$/i;
/** Programs with which a project is built, tested or set up. */
const COMMON_PROGRAM =
  /^(?:gradlew|mvnw|configure|autogen|bootstrap|rails|rake|rspec|bundle|console|phpunit|pytest|conftest|tests?|docs?|examples?|src|lib|app|server|client|tools?|scripts?|utils?|common|core|main|index|cli|install|build|release|upload|tags|run|dev|start|manage|setup|benchmarks?)$/;

/** Last part of a package's name, by which code refers to it. */
export function shortName(name: string): string {
  return name.replace(/\/v\d+$/, '').replace(/^.*\//, '');
}

const cache = new WeakMap<CodeTable, { packages: PackageNames | null; found: ProjectNames }>();

/** Names of a project by its manifests and by its files, once per index. */
export function findProjectNames(code: CodeTable, packages: PackageNames | null): ProjectNames {
  const cached = cache.get(code);
  if (cached && cached.packages === packages) return cached.found;
  const all = [...new Set([...packageNames(packages), ...fileNames(code)])]
    .filter((name) => name.length >= MIN_PROGRAM_LENGTH && !COMMON_PROGRAM.test(name) && isRare(name))
    .slice(0, MAX_NAMES);
  const found = { names: all.filter((name) => name.length >= MIN_NAME_LENGTH), programs: all };
  cache.set(code, { packages, found });
  return found;
}

/** Names of the package at the root and of those beside one another; those further inside are examples. */
function packageNames(packages: PackageNames | null): string[] {
  const all = [...(packages ?? [])];
  const outer = all.filter(([, folders]) => folders.some((one) => one === '' || MEMBER_FOLDER.test(one)));
  return (outer.length > 0 ? outer : all).map(([name]) =>
    name.startsWith('@') ? name : shortName(name).replace(/^.*:/, ''),
  );
}

function fileNames(code: CodeTable): string[] {
  const found = new Set<string>();
  for (let file = 0; file < Math.min(code.fileCount, MAX_FILES); file++) {
    const path = code.filePath(file);
    const named = NAMED_FILE.exec(path);
    const name = named?.slice(1).find((one) => one !== undefined);
    if (name && !isNonSource(`${name}/x`)) found.add(name.toLowerCase());
    if (!path.includes('/') && ROOT_PROGRAM.test(path) && PROGRAM_LANGUAGE.test(code.fileLanguage(file)))
      found.add(path);
  }
  return [...found];
}

/** True for a name whose words together are in few messages of any project. */
function isRare(name: string): boolean {
  const words = terms(name);
  return words.length > 0 && words.reduce((share, term) => share * termShare(term), 1) < MAX_NAME_SHARE;
}

/**
 * Mention of a project in a text: by `output` of programs, which its names are part of (a message after the name of a command,
 * its usage, a typed command, its own file of settings, an absent module), or in a `sentence` of the reporter.
 */
export type ProjectMention = 'output' | 'sentence' | null;

/** Finds a name of the project in a text. Paths and addresses of a machine are none. */
export function findMention(text: string, { names, programs }: ProjectNames): ProjectMention {
  if (programs.length === 0) return null;
  if (commandPattern(programs).test(text)) return 'output';
  if (names.length === 0) return null;
  if (settingsPattern(names).test(text)) return 'output';
  const word = new RegExp(`(?<![\\w/\\\\.@-])${either(names)}(?![\\w/\\\\-]|\\.\\w{1,5}(?![\\w.]))`, 'i');
  const lines = text.split('\n').filter((line) => word.test(line) && !isVerdict(line));
  if (lines.length === 0) return null;
  const sentences = new Set(reporterLines(text));
  return lines.every((line) => sentences.has(line)) ? 'sentence' : 'output';
}

/** A name with one word, such as `linter: FAILED`, tells no more than a complaint. */
function isVerdict(line: string): boolean {
  return line.trim().split(/\s+/).length < 3 && !/[.;(]/.test(line);
}

/** `name: a message`, `usage: name`, `$ name` as it was typed, and a line of its installed program: `at /usr/bin/name line 3`. */
function commandPattern(programs: readonly string[]): RegExp {
  const name = either(programs);
  return new RegExp(
    `^(?:\\S{1,40} |\\[[^\\]\\n]{1,40}\\] ?)?(?:\\S{0,200}/)?${name}(?:\\[\\d+\\])?: \\S+ \\S|\\busage: ${name}\\b|^\\S{0,80} ?[$%❯] (?:\\S+ -m |sudo |npx )?${name}(?=\\s|$)|/\\.?s?bin/${name}(?:["']?,? line |:)\\d`,
    'im',
  );
}

/** Files of settings that are named after their program: `.namerc`, `name.toml`, `name.config.js`. */
function settingsPattern(names: readonly string[]): RegExp {
  const name = either(names);
  return new RegExp(
    `(?:^|[\\s/\\\\'"\`(])(?:\\.${name}(?:rc)?(?:\\.\\w+)?|${name}(?:rc|\\.(?:config\\.\\w+|toml|ya?ml|conf|cfg|ini)))(?![\\w/])`,
    'im',
  );
}

function either(names: readonly string[]): string {
  return `(?:${names.map((name) => name.replace(/[^\w]/g, '\\$&')).join('|')})`;
}
