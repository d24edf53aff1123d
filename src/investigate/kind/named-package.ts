import type { CodeTable } from '#memory/repository-index.ts';
import { filesNamed } from '../locate/files-named.ts';
import type { PackageNames } from '../locate/package-names.ts';
import { parsePrintedPath } from '../locate/printed-path.ts';
import type { Trace } from '../trace/trace.ts';
import { FILE_NAME, isDefined } from './defined-names.ts';
import { shortName } from './project-names.ts';

/** Shorter names of packages are words. */
const MIN_NAME_LENGTH = 4;

/** A package that was not found, or that a package manager works on. */
const WANTED_PACKAGE =
  /(?:No module named|Cannot find (?:module|package)|Could not find gem|cannot load such file --|no matching package named|No matching distribution found for|Can't locate|can't find crate for|Can't resolve|no required module provides package|finding module for package|^module|^go:) ['"`]?([@\w./-]+)/gm;

/**
 * True when the message names a file of an own package, its whole path such as `github.com/urfave/cli`, or as absent the package or,
 * in the language of the project, an extension that is named after it: `flask-login`.
 */
export function mentionsPackage(message: string, packages: PackageNames, hasLanguage: boolean): boolean {
  const wanted = Array.from(message.matchAll(WANTED_PACKAGE), ([, name]) =>
    name!.replace(/(?<=.)@.*$/, '').toLowerCase(),
  );
  if (wanted.some((name) => packages.has(name) || packages.has(name.split('.')[0]!))) return true;
  const own = new Set(Array.from(packages.keys(), shortName));
  const isExtension = (name: string) =>
    name.split(/[-_./@:]+/).some((part) => part.length >= MIN_NAME_LENGTH && own.has(part));
  if (hasLanguage && wanted.some(isExtension)) return true;
  return message.split(/[\s'"`()]+/).some((token) => {
    const name = token.includes('/') ? parsePrintedPath(token).package : null;
    return name !== null && packages.has(name.toLowerCase());
  });
}

/** A header that a compiler did not find. */
const WANTED_HEADER = /^['"]?([\w./+-]{1,200}\.h(?:pp|xx|h)?)['"]?(?:: No such file| file not found)/;

/** True when a compiler did not find a header of this repository. */
export function wantsHeader(message: string, code: CodeTable | null): boolean {
  const name = WANTED_HEADER.exec(message)?.[1]?.split('/').at(-1);
  if (code === null || name === undefined) return false;
  return filesNamed(code, name).some((file) => `/${code.filePath(file)}`.endsWith(`/${name}`));
}

const QUALIFIED = /(?<![\w$.@/\\:-])([A-Za-z_][\w-]*)(?:\.|::)([A-Za-z_]\w{2,})(?!\w*[./])/g;

/** True when the message names a part of an own package that the code defines: `cobra.Command`, `yargs.command(...)`. */
export function qualifiesName(message: string, packages: PackageNames, code: CodeTable | null): boolean {
  if (!code) return false;
  const own = new Set(Array.from(packages.keys(), shortName));
  return Array.from(message.matchAll(QUALIFIED)).some(
    ([whole, root, name]) => own.has(root!.toLowerCase()) && !FILE_NAME.test(whole) && isDefined(code, name!),
  );
}

/** The line of code on which an error arose, if the trace prints it. */
export function failingCode({ frames }: Trace): string {
  return frames[0]?.text ?? '';
}

/** The text without the project's own name, which tells whose an error is but not what it is about. */
export function withoutNames(text: string, packages: PackageNames | null): string {
  const own = new Set(Array.from(packages?.keys() ?? [], shortName));
  return text.replace(/[\w.-]*\w/g, (word) => (own.has(word.toLowerCase()) ? ' ' : word));
}

/** The project that a build tool was building: Maven, Gradle, Cargo. */
const BUILT_PROJECT =
  /Failed to execute goal [^\n]{1,300}? on project ([\w.-]{1,100})|problem occurred (?:configuring|evaluating) (?:root )?project ['"]:?([\w.-]{1,100})|could not compile [`'"]([\w-]{1,100})/;

/** True when a build tool failed on a project that is none of the repository's packages. */
export function buildsOther(text: string, packages: PackageNames | null): boolean {
  const name = BUILT_PROJECT.exec(text)
    ?.slice(1)
    .find((one) => one !== undefined);
  if (name === undefined) return false;
  return ![...(packages?.keys() ?? [])].some((one) => one.split(/[/:]/).at(-1) === name.toLowerCase());
}

/** Common programs of a machine that print their name before what failed. */
const TOOL_LINE =
  /^\s*(?:npm (?:error|ERR!)|(?:yarn|pnpm|unzip|zip|tar|gzip|curl|wget|ssh|scp|rsync|docker|kubectl|psql|pg_dump|mysql|mysqldump|apt|dpkg|ld|collect2|cmake|systemctl|crontab)(?:\[\d+\])?: )/m;

/** True for the output of a common program that names none of the repository's packages. */
export function isToolOutput(text: string, packages: PackageNames | null): boolean {
  if (!TOOL_LINE.test(text)) return false;
  const words = new Set(text.toLowerCase().match(/[\w.-]*\w/g));
  return ![...(packages?.keys() ?? [])].some((name) => words.has(shortName(name)));
}
