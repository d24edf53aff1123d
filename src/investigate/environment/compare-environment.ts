import type { EnvironmentFact } from '#contract/debug.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { readPackageNames } from '../locate/package-names.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import type { Trace } from '../trace/trace.ts';
import { type EnvironmentFault, findEnvironmentFault, findRuntimeVersions } from './environment-facts.ts';
import { compareVersions, findRequirement } from './requirements.ts';

/** The environment as the error text states it, compared with what the project requires. */
export interface EnvironmentReport {
  facts: EnvironmentFact[];
  /** Fault that the error itself names. */
  fault: EnvironmentFault | null;
  /** The runtime that is older than required, if the error is of a kind that this explains. */
  outdated: EnvironmentFact | null;
}

/** Errors by which an older runtime lacks something. */
const LACKS_FEATURE =
  /SyntaxError|ImportError|ModuleNotFoundError|cannot import name|is not a function|is not defined|is not a constructor|has no attribute|undefined method|undefined function|undefined: |NoSuchMethodError|unexpected keyword argument|Unexpected token|invalid syntax|unknown flag|not available in|UnsupportedClassVersion|uninitialized constant|does not provide an export/i;

/** Folders of Python packages in a repository. */
const SOURCE_ROOTS = ['', 'src/', 'lib/'];

/** Reads the facts of the environment from an error text and compares them with the project's requirements. */
export async function compareEnvironment(
  trace: Trace,
  deps: { index: RepositoryIndex; sources: SourceReader },
): Promise<EnvironmentReport> {
  const { commits, code } = deps.index;
  const packages = code && (await readPackageNames(code, deps.sources));
  const isOwn = (module: string) => {
    const [name = ''] = module.split('.');
    return (
      packages?.has(name.toLowerCase()) ||
      SOURCE_ROOTS.some((root) => (code?.fileNumber(`${root}${name}/__init__.py`) ?? -1) >= 0)
    );
  };
  const fault = findEnvironmentFault(trace, isOwn);
  const facts: EnvironmentFact[] = [];
  let outdated: EnvironmentFact | null = null;
  for (const runtime of findRuntimeVersions(trace.lines.join('\n'))) {
    const requirement = await findRequirement(runtime, deps);
    const source =
      requirement === null
        ? null
        : (requirement.path ?? (requirement.commit === null ? null : commits.oid(requirement.commit)));
    const fact: EnvironmentFact = {
      ...{ fact: 'runtime', found: `${runtime.name} ${runtime.version}` },
      ...{ required: requirement?.required ?? null, source },
    };
    facts.push(fact);
    const isOlder = requirement !== null && isOlderVersion(runtime.version, requirement.minimum);
    if (isOlder && LACKS_FEATURE.test(`${trace.errorType}: ${trace.message}`)) outdated ??= fact;
  }
  if (fault) facts.unshift({ ...fault, required: null, source: null });
  return { facts, fault, outdated };
}

/** Compares as many numbers as the text states: Python `3.9` is not older than `3.9.2`. */
function isOlderVersion(found: string, minimum: string): boolean {
  const length = found.split('.').length;
  return compareVersions(found, minimum.split('.').slice(0, length).join('.')) < 0;
}
