import { posix } from 'node:path';
import type { CommandFinder, CommandWords, FailingTest } from './proposal.ts';
import { findProjectFolder, pathArgument, type RepositoryFiles } from './repository-files.ts';

const PROJECT_FILES = [
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'tox.ini',
  'pytest.ini',
  'requirements.txt',
];
/** Files of a project that say that pytest runs its tests. */
const PYTEST_FILES = ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'];
const PYTHON_NAME = /^[\w.]+$/;

/** pytest: `python3 -m pytest tests/test_cart.py::CartTest::test_total`; unittest where nothing names pytest. */
export const findPythonCommand: CommandFinder = async (test, files) => {
  const isPython = test.path?.endsWith('.py') ?? (test.runner === 'pytest' || test.runner === 'unittest');
  if (!isPython) return null;
  const project = findProjectFolder(test.path ?? test.near ?? null, PROJECT_FILES, files);
  const folder = project?.folder ?? '';
  const config = project?.config ?? null;
  const common = { folder, config, ...sourceFolder(folder, files) };
  const usesPytest = test.runner === 'pytest' || (test.runner === null && (await namesPytest(folder, files)));
  if (!usesPytest) return unittestCommand(test, common);
  const words = ['python3', '-m', 'pytest', '-q'];
  if (test.path === null) return { ...common, runner: 'pytest', words, scope: 'suite' };
  const file = pathArgument(test.path, folder);
  const id = test.name === null || test.name.endsWith('.py') ? file : `${file}::${nodeId(test.name)}`;
  return { ...common, runner: 'pytest', words: [...words, id], scope: id === file ? 'file' : 'test' };
};

/** `CartTest.test_total[1.5]` as pytest's id: `CartTest::test_total[1.5]`. */
function nodeId(name: string): string {
  const bracket = name.indexOf('[');
  const end = bracket < 0 ? name.length : bracket;
  return name.slice(0, end).replaceAll('.', '::') + name.slice(end);
}

type CommonWords = Pick<CommandWords, 'folder' | 'config' | 'environment'>;

function unittestCommand({ name, path }: FailingTest, common: CommonWords): CommandWords | null {
  const words = ['python3', '-m', 'unittest'];
  const module = path && pathArgument(path, common.folder).replace(/\.py$/, '').replaceAll('/', '.');
  if (name !== null && PYTHON_NAME.test(name)) {
    // The name has its module as it was imported; from the root it may need the folders as well.
    const [first = ''] = name.split('.');
    const [, ...within] = module === null ? [] : name.split(`${posix.basename(path!, '.py')}.`);
    const full =
      module !== null && first !== module.split('.')[0] && within.length > 0
        ? `${module}.${within.join('')}`
        : name;
    return { ...common, runner: 'unittest', words: [...words, full], scope: 'test' };
  }
  if (module === null)
    return { ...common, runner: 'unittest', words: [...words, 'discover'], scope: 'suite' };
  if (!PYTHON_NAME.test(module)) return null;
  return { ...common, runner: 'unittest', words: [...words, module], scope: 'file' };
}

async function namesPytest(folder: string, files: RepositoryFiles): Promise<boolean> {
  if (PYTEST_FILES.some((name) => files.has(posix.join(folder, name)))) return true;
  const texts = await Promise.all(PROJECT_FILES.map((name) => files.read(posix.join(folder, name))));
  return texts.some((text) => text !== null && /\bpytest\b/.test(text));
}

/** A package below `src/` is imported from there, as if it were installed. */
function sourceFolder(folder: string, files: RepositoryFiles): { environment?: string } {
  const prefix = posix.join(folder, 'src/');
  const packages = files.endingWith('__init__.py').filter((path) => path.startsWith(prefix));
  return packages.length > 0 ? { environment: 'PYTHONPATH=src' } : {};
}
