import type { CheckerDiagnostic } from '../diagnostic.ts';

/** A step of a check: the process asks for contents until it has all that the file imports. */
export interface TypeTask {
  /** Path and object id of every file that could be part of a program; null for the revision of the last task. */
  files: [path: string, oid: string][] | null;
  /** The list of files is incomplete: a file that is not in it may exist. */
  isTruncated: boolean;
  /** Contents that the last step asked for; null for a file that can't be read. */
  texts: Record<string, string | null>;
  path: string;
  text: string;
  /** Texts of other files that are being edited. */
  unsaved: Record<string, string>;
  /** Computes quick fixes, which takes longer than the findings. */
  withFixes: boolean;
  /** Checks only the statements that differ from the text of the last check; other findings are as they were. */
  onlyChanges?: boolean;
  /** Contents that are still missing are not sent. */
  isLastStep: boolean;
}

/** Findings of the type checker about one file. */
export interface TypeDiagnosis {
  diagnostics: CheckerDiagnostic[];
  /** Findings left out, since they depend on packages that are not there. */
  hidden: number;
  /** Names of the packages that the file and what it imports refer to. */
  missingPackages: string[];
  /** Only statements that had changed were checked. */
  isPartial?: boolean;
}

/** Paths whose contents are needed, or the findings. */
export type TypeReply = { missing: string[] } | TypeDiagnosis;

/** Files that can be part of a program, or that configure one. */
const PROGRAM_FILE = /(?:\.(?:[cm]?[jt]s|[jt]sx)|\.json)$/i;

/** True for a path that the type checker may ask for. */
export function isProgramPath(path: string): boolean {
  return PROGRAM_FILE.test(path) && !/(?:^|\/)(?:node_modules|package-lock\.json$)/.test(path);
}

/** True for TypeScript and JavaScript, whose types are checked. */
export function isTypedPath(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/i.test(path);
}
