import type { TestRunner } from '#test-reports/test-failure.ts';
import type { RepositoryFiles } from './repository-files.ts';

/** Programs that commands are proposed for. */
export type CommandRunnerName = Exclude<TestRunner, 'junit'> | 'make';

/** A test that failed. */
export interface FailingTest {
  /** Null where only the file is known. */
  runner: CommandRunnerName | null;
  /** Full name as the runner prints it; null for the whole file. */
  name: string | null;
  /** Path in the repository; null where it is unknown. */
  path: string | null;
  /** File whose project is meant where `path` is null. */
  near?: string | null;
}

/** A command before it is quoted. */
export interface CommandWords {
  runner: CommandRunnerName;
  /** Folder to execute it in; '' for the root. */
  folder: string;
  /** File of the repository from which it was found. */
  config: string | null;
  words: readonly string[];
  /** Variables to set, of plain words. */
  environment?: string;
  scope: 'test' | 'file' | 'suite';
}

/** Finds the command for a test, or for all tests of its project; null where the runner does not fit. */
export type CommandFinder = (test: FailingTest, files: RepositoryFiles) => Promise<CommandWords | null>;

/** Escapes a text for a regular expression of JavaScript, Go or PCRE. */
export function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
