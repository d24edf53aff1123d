import {
  type CommandFinder,
  type CommandRunnerName,
  type CommandWords,
  escapeExpression,
  type FailingTest,
} from './proposal.ts';
import { findProjectFolder, pathArgument } from './repository-files.ts';

const SCRIPT_FILE = /\.[cm]?[jt]sx?$/;
const RUNNERS = ['vitest', 'jest', 'mocha', 'node'] as const;
type ScriptRunner = (typeof RUNNERS)[number];

/** The runner of the report, else the one that the test script or the dependencies of package.json name. */
export const findJavascriptCommand: CommandFinder = async (test, files) => {
  const isScript = test.path === null ? isScriptRunner(test.runner) : SCRIPT_FILE.test(test.path);
  if (!isScript) return null;
  const project = findProjectFolder(test.path ?? test.near ?? null, ['package.json'], files);
  const manifest = project && parseManifest(await files.read(project.config));
  const runner = isScriptRunner(test.runner) ? test.runner : manifest && chooseRunner(manifest);
  const common = { folder: project?.folder ?? '', config: project?.config ?? null };
  if (runner) return runnerCommand(runner, test, common);
  // A test script of its own, without a known runner.
  return manifest?.script ? { ...common, runner: 'node', words: ['npm', 'test'], scope: 'suite' } : null;
};

function isScriptRunner(runner: CommandRunnerName | null): runner is ScriptRunner {
  return RUNNERS.some((one) => one === runner);
}

interface Manifest {
  script: string | null;
  dependencies: ReadonlySet<string>;
}

/** Reads what decides the runner; null for what is no manifest. */
function parseManifest(text: string | null): Manifest | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const field = (from: unknown, name: string): unknown =>
      typeof from === 'object' && from !== null && Object.hasOwn(from, name)
        ? (from as Record<string, unknown>)[name]
        : undefined;
    const script = field(field(value, 'scripts'), 'test');
    const names = ['dependencies', 'devDependencies'].flatMap((name) =>
      Object.keys(field(value, name) ?? {}),
    );
    return { script: typeof script === 'string' ? script : null, dependencies: new Set(names) };
  } catch {
    return null;
  }
}

function chooseRunner({ script, dependencies }: Manifest): ScriptRunner | null {
  const words = script ?? '';
  if (/\bnode\b.*\s--test\b/.test(words)) return 'node';
  const named = (['vitest', 'jest', 'mocha'] as const).find((name) =>
    new RegExp(`\\b${name}\\b`).test(words),
  );
  return named ?? (['vitest', 'jest', 'mocha'] as const).find((name) => dependencies.has(name)) ?? null;
}

function runnerCommand(
  runner: ScriptRunner,
  { name, path }: FailingTest,
  common: Pick<CommandWords, 'folder' | 'config'>,
): CommandWords {
  const file = path === null ? [] : [pathArgument(path, common.folder)];
  const parts = name === null || name === path ? [] : name.split(' > ');
  const scope = parts.length > 0 ? 'test' : path === null ? 'suite' : 'file';
  return { ...common, runner, words: wordsOf(runner, file, parts), scope };
}

/** Words of a command; the name of a test follows its option after `=`, so that it is no option itself. */
function wordsOf(runner: ScriptRunner, file: string[], parts: string[]): string[] {
  const full = parts.join(' ');
  const exact = parts.length === 0 ? [] : [`--testNamePattern=^${escapeExpression(full)}$`];
  switch (runner) {
    case 'vitest':
      return ['npx', '--no-install', 'vitest', 'run', ...file, ...exact];
    case 'jest':
      return [
        'npx',
        '--no-install',
        'jest',
        ...(file.length > 0 ? ['--runTestsByPath', ...file] : []),
        ...exact,
      ];
    case 'mocha':
      return ['npx', '--no-install', 'mocha', ...file, ...(full === '' ? [] : [`--fgrep=${full}`])];
    case 'node': {
      // Node 20 compares the name of a test alone, later ones with the names around it.
      const pattern = parts.at(-1);
      const named = pattern === undefined ? [] : [`--test-name-pattern=${escapeExpression(pattern)}$`];
      return ['node', '--test', ...named, ...file];
    }
  }
}
