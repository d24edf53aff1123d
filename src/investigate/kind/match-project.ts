import { isNonSource } from '#evolution/fixes.ts';
import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { failedOutside } from '../guard/find-guard.ts';
import { documentFrequency } from '../locate/document-frequency.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import type { MessageOrigin } from '../locate/message-origin.ts';
import type { PackageNames } from '../locate/package-names.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import { MIN_PRINTED_LETTERS } from '../locate/printed-messages.ts';
import type { Trace, TraceLanguage } from '../trace/trace.ts';
import { type CallerFailure, findCallerFailure, printsComparison } from './caller-failure.ts';
import { definedNames, isDefined } from './defined-names.ts';
import {
  buildsOther,
  failingCode,
  isToolOutput,
  mentionsPackage,
  qualifiesName,
  wantsHeader,
  withoutNames,
} from './named-package.ts';
import { findMention, findProjectNames, type ProjectMention } from './project-names.ts';
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
  /** Place of a name of the project in the text: in the output of programs or in a sentence of its reporter alone. */
  mention: ProjectMention;
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
  const told = text.split('\n').filter((line) => !BUILD_RESULT.test(line));
  const mention = code && findMention(told.join('\n'), findProjectNames(code, packages));
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
    (namesPackage || mention === 'output' ? 2 : mention ? 1 : 0) +
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
    mention,
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
  mention,
}: ProjectMatch): boolean {
  return (
    matchedFrames > 0 ||
    originShare >= MIN_ORIGIN_SHARE ||
    definesError ||
    namesPackage ||
    mention === 'output'
  );
}

/** True when a literal of the code makes up most of the message. */
export function isOwnMessage({ originShare }: ProjectMatch): boolean {
  return originShare >= MIN_ORIGIN_SHARE;
}

/** True when nothing in an error speaks for this repository. */
export function isForeign(match: ProjectMatch): boolean {
  if (hasCertainMatch(match)) return false;
  if (isCallersReport(match) || match.mention === 'sentence') return false;
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

/** The last line of a build or a shell, which tells that something failed before. */
const BUILD_RESULT =
  /^\s*(?:(?:\w+-)?make(?:\[\d+\])?: \*\*\* \[.{1,200}\] (?:Error|Fehler|Erreur) \d+|(?:exit status|Process exited with(?: code)?|Command failed with exit code) \d+)\.?\s*$/i;
const HAS_TEXT = /\p{L}{2}/u;

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
