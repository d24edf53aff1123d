import { isNonSource } from '#evolution/fixes.ts';
import { parseTrace } from '#investigate/trace/read-trace.ts';
import { parseTestLog } from '#test-reports/parse-log.ts';
import { shellCommand } from '../shell-quote.ts';
import { findJavascriptCommand } from './javascript-commands.ts';
import {
  findCargoCommand,
  findDotnetCommand,
  findGoCommand,
  findJavaCommand,
  findMakeCommand,
  findPhpCommand,
  findRubyCommand,
} from './other-commands.ts';
import type { CommandFinder, CommandRunnerName, CommandWords, FailingTest } from './proposal.ts';
import { findPythonCommand } from './python-commands.ts';
import { findPrintedFile, type RepositoryFiles } from './repository-files.ts';

/** A command that may show the failure. */
interface ProposedCommand {
  /** One line for `sh -c`, to be executed in the root of a checkout. */
  command: string;
  runner: CommandRunnerName;
  /** File of the repository from which it was found; null where none names the runner. */
  path: string | null;
  /** Extent: exactly the test, its file, or all tests of the project. */
  scope: 'test' | 'file' | 'suite';
}

const FINDERS: readonly CommandFinder[] = [
  findPythonCommand,
  findJavascriptCommand,
  findGoCommand,
  findCargoCommand,
  findJavaCommand,
  findPhpCommand,
  findRubyCommand,
  findDotnetCommand,
];

/** Failing tests of a text for which commands are proposed. */
const MAX_TESTS = 4;
const MAX_COMMANDS = 10;
const MAX_COMMAND_LENGTH = 2_000;

/**
 * Proposes commands for an error text: for exactly the failing test that a runner reports or whose frame the trace has, then for its
 * file, then for all tests, which also serve as the wider command of a patch. Names and paths are quoted; the text and the files are
 * never executed or evaluated here.
 */
export async function proposeCommands(text: string, files: RepositoryFiles): Promise<ProposedCommand[]> {
  const tests = findFailingTests(text, files);
  const found: CommandWords[] = [];
  for (const test of tests) found.push(...(await findCommands(test, files)));
  const make = await findMakeCommand({ runner: 'make', name: null, path: null }, files);
  if (make) found.push(make);
  const rank = { test: 0, file: 1, suite: 2 };
  const proposed = found
    .toSorted((a, b) => rank[a.scope] - rank[b.scope])
    .flatMap((words) => formatCommand(words) ?? []);
  return [...new Map(proposed.toReversed().map((one) => [one.command, one])).values()]
    .toReversed()
    .slice(0, MAX_COMMANDS);
}

/** The command for a test, and those for its file and its project. */
async function findCommands(test: FailingTest, files: RepositoryFiles): Promise<CommandWords[]> {
  for (const find of FINDERS) {
    const found = await find(test, files);
    if (!found) continue;
    const { runner } = found;
    const ofFile = await find({ runner, name: null, path: test.path }, files);
    const ofProject = await find({ runner, name: null, path: null, near: test.path }, files);
    return [found, ofFile, ofProject].filter((one) => one !== null);
  }
  return [];
}

/** Tests that runners report as failed, else the test files of the trace. */
function findFailingTests(text: string, files: RepositoryFiles): FailingTest[] {
  const { failures } = parseTestLog(text);
  const reported = failures.flatMap(({ runner, name, file }): FailingTest[] => {
    if (runner === null) return [];
    const path = file === null ? null : findPrintedFile(file, files);
    return [{ runner: runner === 'junit' ? null : runner, name, path }];
  });
  if (reported.length > 0) return reported.slice(0, MAX_TESTS);
  const { frames } = parseTrace(text);
  const tests = frames.flatMap(({ path: printed, symbol }): FailingTest[] => {
    const path = findPrintedFile(printed, files);
    if (path === null || !isNonSource(path)) return [];
    // Names of functions are names of tests only where the language makes them so.
    const isNamed = /\.(?:py|go|rs)$/.test(path) && /(?:^|\.)(?:test_\w+|Test\w+)$/.test(symbol ?? '');
    const name = isNamed ? symbol!.replace(/^.*\.(?=Test\w+$)/, '') : null;
    return [{ runner: null, name, path }];
  });
  return tests.slice(0, MAX_TESTS);
}

/** The command as one line; null for names that no shell takes, and for lines beyond measure. */
function formatCommand({
  runner,
  folder,
  config,
  words,
  environment,
  scope,
}: CommandWords): ProposedCommand | null {
  const line = shellCommand(words);
  const enter = folder === '' ? '' : shellCommand(['cd', folder.startsWith('-') ? `./${folder}` : folder]);
  if (line === null || enter === null) return null;
  const command = [enter, [environment, line].filter(Boolean).join(' ')].filter(Boolean).join(' && ');
  return command.length > MAX_COMMAND_LENGTH ? null : { command, runner, path: config, scope };
}
