import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { failedOutside } from '../guard/find-guard.ts';
import { documentFrequency } from '../locate/document-frequency.ts';
import { filesNamed } from '../locate/files-named.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import type { MessageOrigin } from '../locate/message-origin.ts';
import type { PackageNames } from '../locate/package-names.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import { MIN_PRINTED_LETTERS } from '../locate/printed-messages.ts';
import { parsePrintedPath } from '../locate/printed-path.ts';
import type { Trace, TraceLanguage } from '../trace/trace.ts';
import { type CallerFailure, findCallerFailure, printsComparison } from './caller-failure.ts';
import { MIN_TOPIC_PROBABILITY, measureTopic, topicProbability } from './report-topic.ts';
import { isWhollyProse } from './reporter-words.ts';
import { importedModules, importsPackage, usedNames } from './used-names.ts';

/** Evidence that an error concerns a repository. */
export interface ProjectMatch {
  /** Frames outside runtimes, and those of them that are in the repository. */
  frames: number;
  matchedFrames: number;
  /** Share of the message that a literal of the code covers. */
  originShare: number;
  /** True when the repository defines the class of the error. */
  definesError: boolean;
  /** True when the message names a file of the repository's installed package, or a part of it: `cobra.Command`. */
  namesPackage: boolean;
  /** Names of the text that the repository defines. */
  names: string[];
  /** Failure of a caller's code on a line of its own; null for other errors. */
  callerFailure: CallerFailure | null;
  /** True when code in the text imports a module that the repository does not mention. */
  importsOther: boolean;
  /** Probability that the words of a report are about the project, for a text whose frames are not. */
  topic: number;
  /** The same without the project's own name, for a text without frames and names of code. */
  subject: number;
  /** True for a text in the words of its reporter alone, without names of code or output of a program. */
  isProse: boolean;
  /** True when the repository has files in the language of the trace. */
  hasLanguage: boolean;
  /** True for a text without the trace of a language. */
  isWithoutTrace: boolean;
  /** Sum of the evidence; comparable between repositories. */
  score: number;
}

/** A literal with this share of the message is evidence. */
const MIN_ORIGIN_SHARE = 0.5;
/** Words of a literal that is evidence. */
const MIN_ORIGIN_WORDS = 2;
/** In a text without frames, a literal of so many letters is evidence at any share. */
const SUFFICIENT_LETTERS = 18;
/** Probability of the topic from which the failure of a caller's own code concerns the project: those of other projects' callers stay below it in 90 %. */
const MIN_CALLER_TOPIC = 0.69;
/** Probability of the subject from which words alone, without a name or an output, tell a fault. */
const MIN_PROSE_TOPIC = 0.85;
const MAX_NAMES = 12;
const MAX_TOKENS = 400;
/** Passages that define a name; more make it generic. */
const MAX_DEFINITIONS = 40;
const EXTENSIONS: Record<TraceLanguage, RegExp> = {
  javascript: /^(?:javascript|typescript|tsx|jsx|vue|svelte)/,
  python: /^python/,
  java: /^(?:java|kotlin|scala|groovy)$/,
  go: /^go$/,
  rust: /^rust$/,
  c: /^(?:c|cpp|c\+\+|objective-?c\w*|swift|cuda)$/,
  csharp: /^(?:c_?sharp|csharp|c#)$/,
  ruby: /^ruby$/,
  php: /^php$/,
  perl: /^perl$/,
  lua: /^lua/,
  elixir: /^(?:elixir|erlang)$/,
  dart: /^dart$/,
  haskell: /^haskell$/,
  julia: /^julia$/,
  ocaml: /^ocaml/,
  tcl: /^tcl$/,
  powershell: /^powershell$/,
  nim: /^nim/,
  crystal: /^crystal$/,
  shell: /^(?:shell|bash|sh)/,
};
/** Names of code: with an underscore, an inner capital, a member access, a path, or in quotes. */
const CODE_NAME =
  /`([^`\n]{2,80})`|(?<![\w$])((?:[A-Za-z_$][\w$]*(?:\.|::|#|->))+[A-Za-z_$][\w$]*|[a-z]+_\w+|_\w{3,}|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z_][\w$]*(?=\())/g;

const FILE_NAME =
  /^[\w./-]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|php|c|h|json|ya?ml|toml|txt|md|csv|log|xml|html|sh)$/i;

/** Files that most repositories have. */
const COMMON_FILE =
  /^(?:(?:package(?:-lock)?|composer|tsconfig|deno)\.json|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|pom\.xml|(?:README|CHANGELOG|CONTRIBUTING)\.\w+|index\.\w+|main\.\w+|__init__\.py|requirements\.txt)$/i;

interface MatchInput {
  trace: Trace;
  /** The whole report. */
  text: string;
  /** The error as it was pasted, with what loggers print before each line. */
  pasted: string;
  frames: PlacedFrame[];
  owners: FrameOwner[];
  origins: MessageOrigin[];
  packages: PackageNames | null;
  index: RepositoryIndex;
}

/** Collects the evidence that an error concerns this repository: frames, message, class of the error, names. */
export function matchProject({
  trace,
  text,
  pasted,
  frames,
  owners,
  origins,
  packages,
  index,
}: MatchInput): ProjectMatch {
  const { code } = index;
  const hasLanguage = Boolean(code && trace.language && hasFilesIn(code, trace.language));
  const foreign =
    owners.filter((owner) => owner !== 'runtime' && owner !== 'mention').length +
    // Frames of a runtime for which the repository has no code.
    Number(!hasLanguage && owners.includes('runtime')) +
    Number(buildsOther(text, packages) || (trace.language === null && isToolOutput(pasted, packages)));
  const matchedFrames =
    owners.filter((owner) => owner === 'project').length + frames.filter(({ depth }) => depth < 0).length;
  // A single word such as `something` is in many programs.
  const origin = failedOutside({ trace, owners })
    ? undefined
    : origins.find(
        ({ path, words, letters }) =>
          !isNonSource(path) &&
          words >= MIN_ORIGIN_WORDS &&
          (trace.language !== null || letters >= MIN_PRINTED_LETTERS),
      );
  const isLong = origin !== undefined && origin.letters >= SUFFICIENT_LETTERS && trace.language === null;
  const originShare = isLong ? Math.max(MIN_ORIGIN_SHARE, origin.share) : (origin?.share ?? 0);
  const type = trace.errorType?.split(/[.:\\]+/).at(-1);
  const definesError = Boolean(code && type && /\w{6}/.test(type) && isDefined(code, type));
  const isWorded = originShare >= MIN_ORIGIN_SHARE;
  const callerFailure =
    findCallerFailure(trace, owners) ?? (!isWorded && printsComparison(trace) ? 'check' : null);
  const namesPackage =
    packages !== null &&
    (mentionsPackage(trace.message, packages, hasLanguage) ||
      qualifiesName(trace.message, packages, code) ||
      qualifiesName(failingCode(trace), packages, code) ||
      (callerFailure !== null && importsPackage(text, packages)) ||
      wantsHeader(trace.message, code));
  const lines = (trace.frames.length > 0 && !callerFailure ? trace.lines : text.split('\n')).filter(
    (line) => (trace.frames.length === 0 || !isFrameLine(line)) && !BUILD_RESULT.test(line),
  );
  // Ruby prints the message in the line of the first frame.
  if (callerFailure && !lines.some((line) => line.includes(trace.message))) lines.push(trace.message);
  const words = lines.join('\n');
  const used = callerFailure ? usedNames(lines) : [];
  const names = code ? definedNames(code, words, used) : [];
  const topic = HAS_TEXT.test(words) ? topicProbability(measureTopic(words, names, index)) : 0;
  const isPlain = names.length === 0 && trace.frames.length === 0;
  const subject = isPlain
    ? topicProbability(measureTopic(withoutNames(words, packages), names, index))
    : topic;
  const score =
    2 * Math.min(3, matchedFrames) +
    (originShare >= MIN_ORIGIN_SHARE ? 3 * originShare : 0) +
    (definesError ? 1.5 : 0) +
    (namesPackage ? 2 : 0) +
    0.5 * Math.min(4, names.length) +
    (matchedFrames > 0 || foreign === 0 || isCallersReport({ callerFailure, hasLanguage, topic })
      ? 2 * topic
      : 0);
  return {
    frames: foreign,
    matchedFrames,
    originShare,
    definesError,
    namesPackage,
    names,
    callerFailure,
    isWithoutTrace: trace.language === null,
    importsOther: callerFailure !== null && code !== null && importsUnknown(text, code),
    topic,
    subject,
    isProse: isPlain && isWhollyProse(text),
    hasLanguage,
    score,
  };
}

/** True when a frame, a literal, an error class or a package of the repository is in the error. */
export function hasCertainMatch({
  matchedFrames,
  originShare,
  definesError,
  namesPackage,
}: ProjectMatch): boolean {
  return matchedFrames > 0 || originShare >= MIN_ORIGIN_SHARE || definesError || namesPackage;
}

/** True when a literal of the code makes up most of the message. */
export function isOwnMessage({ originShare }: ProjectMatch): boolean {
  return originShare >= MIN_ORIGIN_SHARE;
}

/** True when nothing in an error speaks for this repository. */
export function isForeign(match: ProjectMatch): boolean {
  if (hasCertainMatch(match)) return false;
  if (isCallersReport(match)) return false;
  // Words alone do not outweigh frames of another program.
  return match.frames > 0 || match.topic < MIN_TOPIC_PROBABILITY;
}

/**
 * True when a caller's own check failed in the language of the project or without a trace, in words that neither name it nor another
 * program. Asked at a project that was chosen for it, such an error is unclear rather than another program's.
 */
export function isUnclear(match: ProjectMatch): boolean {
  const { callerFailure, hasLanguage, isWithoutTrace, importsOther } = match;
  return callerFailure === 'check' && (hasLanguage || isWithoutTrace) && !importsOther && isForeign(match);
}

/** True when a caller's own code failed, in the language of the project and in words that are about it. */
function isCallersReport({
  callerFailure,
  hasLanguage,
  topic,
}: Pick<ProjectMatch, 'callerFailure' | 'hasLanguage' | 'topic'>): boolean {
  return callerFailure !== null && hasLanguage && topic >= MIN_CALLER_TOPIC;
}

/** True for a complaint that names the project at most: no error, no code and no subject of its own, or none that is sure in words alone. */
export function isVague(match: ProjectMatch): boolean {
  const minSubject = match.isProse ? MIN_PROSE_TOPIC : MIN_TOPIC_PROBABILITY;
  return !hasCertainMatch(match) && match.frames === 0 && match.subject < minSubject;
}

/** True when code in the text imports a module, other than a file of its own, that occurs nowhere in the repository. */
function importsUnknown(text: string, code: CodeTable): boolean {
  return importedModules(text).some(
    (name) => /^[@\w]/.test(name) && terms(name).some((term) => documentFrequency(code.files, term) === 0),
  );
}

/** Shorter names of packages are words. */
const MIN_NAME_LENGTH = 4;

/** The last line of a build or a shell, which tells that something failed before. */
const BUILD_RESULT =
  /^\s*(?:(?:\w+-)?make(?:\[\d+\])?: \*\*\* \[.{1,200}\] (?:Error|Fehler|Erreur) \d+|(?:exit status|Process exited with(?: code)?|Command failed with exit code) \d+)\.?\s*$/i;
const HAS_TEXT = /\p{L}{2}/u;

/** A package that was not found, or that a package manager works on. */
const WANTED_PACKAGE =
  /(?:No module named|Cannot find (?:module|package)|Could not find gem|cannot load such file --|no matching package named|No matching distribution found for|Can't locate|can't find crate for|Can't resolve|no required module provides package|finding module for package|^module|^go:) ['"`]?([@\w./-]+)/gm;

/**
 * True when the message names a file of an own package, its whole path such as `github.com/urfave/cli`, or as absent the package or,
 * in the language of the project, an extension that is named after it: `flask-login`.
 */
function mentionsPackage(message: string, packages: PackageNames, hasLanguage: boolean): boolean {
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

/** The project that a build tool was building: Maven, Gradle, Cargo. */
const BUILT_PROJECT =
  /Failed to execute goal [^\n]{1,300}? on project ([\w.-]{1,100})|problem occurred (?:configuring|evaluating) (?:root )?project ['"]:?([\w.-]{1,100})|could not compile [`'"]([\w-]{1,100})/;

/** True when a build tool failed on a project that is none of the repository's packages. */
function buildsOther(text: string, packages: PackageNames | null): boolean {
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
function isToolOutput(text: string, packages: PackageNames | null): boolean {
  if (!TOOL_LINE.test(text)) return false;
  const words = new Set(text.toLowerCase().match(/[\w.-]*\w/g));
  return ![...(packages?.keys() ?? [])].some((name) => words.has(shortName(name)));
}

/** A header that a compiler did not find. */
const WANTED_HEADER = /^['"]?([\w./+-]{1,200}\.h(?:pp|xx|h)?)['"]?(?:: No such file| file not found)/;

/** True when a compiler did not find a header of this repository. */
function wantsHeader(message: string, code: CodeTable | null): boolean {
  const name = WANTED_HEADER.exec(message)?.[1]?.split('/').at(-1);
  if (code === null || name === undefined) return false;
  return filesNamed(code, name).some((file) => `/${code.filePath(file)}`.endsWith(`/${name}`));
}

const QUALIFIED = /(?<![\w$.@/\\:-])([A-Za-z_][\w-]*)(?:\.|::)([A-Za-z_]\w{2,})(?!\w*[./])/g;

/** True when the message names a part of an own package that the code defines: `cobra.Command`, `yargs.command(...)`. */
function qualifiesName(message: string, packages: PackageNames, code: CodeTable | null): boolean {
  if (!code) return false;
  const own = new Set(Array.from(packages.keys(), shortName));
  return Array.from(message.matchAll(QUALIFIED)).some(
    ([whole, root, name]) => own.has(root!.toLowerCase()) && !FILE_NAME.test(whole) && isDefined(code, name!),
  );
}

/** The line of code on which an error arose, if the trace prints it. */
function failingCode({ frames }: Trace): string {
  return frames[0]?.text ?? '';
}

/** Last part of a package's name, by which code refers to it. */
function shortName(name: string): string {
  return name.replace(/\/v\d+$/, '').replace(/^.*\//, '');
}

/** The text without the project's own name, which tells whose an error is but not what it is about. */
function withoutNames(text: string, packages: PackageNames | null): string {
  const own = new Set(Array.from(packages?.keys() ?? [], shortName));
  return text.replace(/[\w.-]*\w/g, (word) => (own.has(word.toLowerCase()) ? ' ' : word));
}

/** True when source code defines the name. */
function isDefined(code: CodeTable, name: string): boolean {
  const passages = code.passagesDefining(name);
  if (passages.length === 0 || passages.length > MAX_DEFINITIONS) return false;
  return passages.some((passage) =>
    code.passageFiles(passage).some((file) => !isNonSource(code.filePath(file))),
  );
}

/** Names of code in the text, and of those that it uses, that source code defines. */
function definedNames(code: CodeTable, words: string, used: readonly string[]): string[] {
  const tokens = [...words.matchAll(CODE_NAME)]
    .slice(0, MAX_TOKENS)
    .map(([, quoted, plain]) => quoted ?? plain!)
    .concat(used);
  const found = new Set<string>();
  for (const token of tokens) {
    const name = token
      .replace(/\(.*$/, '')
      .split(/\.|::|#|->|\s/)
      .at(-1)!;
    if (name.length < 4 || found.has(name)) continue;
    const isFileName = FILE_NAME.test(token);
    const isNamed = isFileName
      ? !COMMON_FILE.test(token) && code.fileNumber(token) >= 0
      : isDefined(code, name);
    if (isNamed || (!isFileName && code.fileNumber(token) >= 0)) found.add(name);
    if (found.size >= MAX_NAMES) break;
  }
  return [...found];
}

function isFrameLine(line: string): boolean {
  return /^\s+(?:at |from )|^\s*(?:at \S+(?: \(|$)|File "|#\d+ )|:\d+:in /.test(line);
}

/** Languages of a repository's source files. */
const languageCache = new WeakMap<CodeTable, Set<string>>();
/** Files whose language is read. */
const MAX_FILES = 5_000;

function hasFilesIn(code: CodeTable, language: TraceLanguage): boolean {
  let languages = languageCache.get(code);
  if (!languages) {
    languages = new Set();
    for (let file = 0; file < Math.min(code.fileCount, MAX_FILES); file++)
      languages.add(code.fileLanguage(file).toLowerCase());
    languageCache.set(code, languages);
  }
  return [...languages].some((one) => EXTENSIONS[language].test(one));
}
