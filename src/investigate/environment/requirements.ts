import type { RepositoryIndex } from '#memory/repository-index.ts';
import { findManifests } from '../locate/package-names.ts';
import type { SourceReader } from '../locate/source-reader.ts';
import type { RuntimeName, RuntimeVersion } from './environment-facts.ts';

/** Minimum version of a runtime that the project requires. */
interface Requirement {
  /** As the project writes it: `>= 18`. */
  required: string;
  minimum: string;
  /** Path of the manifest, or null when a commit states it. */
  path: string | null;
  /** Number of the commit that states it. */
  commit: number | null;
}

/** Manifest and pattern of each runtime; the first group is the requirement. */
const DECLARATIONS: Record<RuntimeName, [RegExp, RegExp][]> = {
  node: [[/package\.json$/, /"engines"\s*:\s*\{[^}]*"node"\s*:\s*"([^"]+)"/]],
  python: [
    [/pyproject\.toml$/, /^\s*(?:requires-python|python)\s*=\s*["']([^"']+)["']/m],
    [/setup\.(?:py|cfg)$/, /python_requires\s*=\s*["']?([^"'\n,)]+)/],
  ],
  ruby: [[/\.gemspec$/, /required_ruby_version\s*=?\s*\(?['"]([^'"]+)['"]/]],
  php: [[/composer\.json$/, /"php"\s*:\s*"([^"]+)"/]],
  go: [[/go\.mod$/, /^go (\d+\.\d+(?:\.\d+)?)/m]],
  java: [
    [
      /(?:pom\.xml|build\.gradle(?:\.kts)?)$/,
      /(?:maven\.compiler\.(?:release|target|source)>|<release>|sourceCompatibility\s*=?\s*['"]?(?:JavaVersion\.VERSION_)?)(\d[\d._]*)/,
    ],
  ],
  rust: [[/Cargo\.toml$/, /^rust-version\s*=\s*"([^"]+)"/m]],
};

/** Reads the requirement of a runtime from the least nested manifest that states one; else from commit messages. */
export async function findRequirement(
  { name }: RuntimeVersion,
  { index, sources }: { index: RepositoryIndex; sources: SourceReader },
): Promise<Requirement | null> {
  if (!index.code) return null;
  for (const path of findManifests(index.code)) {
    const declaration = DECLARATIONS[name].find(([file]) => file.test(path));
    if (!declaration) continue;
    const required = declaration[1].exec((await sources.lines(path))?.join('\n') ?? '')?.[1]?.trim();
    const minimum = required && minimumVersion(required);
    if (minimum) return { required, minimum, path, commit: null };
  }
  return requirementInMessages(name, index);
}

/** Newest commits whose messages are read. */
const MAX_MESSAGES = 200;

const MESSAGE_NAMES: Record<RuntimeName, string> = {
  ...{ node: 'Node(?:\\.js)?', python: 'Python', ruby: 'Ruby', php: 'PHP', go: 'Go', java: 'Java' },
  rust: 'rustc?',
};

/** A minimum that a commit message states: `Node.js 24 is the minimum`, `require Python 3.9`. */
function requirementInMessages(name: RuntimeName, { commits }: RepositoryIndex): Requirement | null {
  const runtime = MESSAGE_NAMES[name];
  const pattern = new RegExp(
    `\\b${runtime} v?(\\d+(?:\\.\\d+)*)\\+? (?:is|as) (?:now )?(?:the |a )?(?:new )?minimum|\\b(?:requires?|minimum(?: supported)?(?: version)?(?: of| to| is)?|at least|bump to) ${runtime} v?(\\d+(?:\\.\\d+)*)`,
    'i',
  );
  const docs = commits.messages.postings(name)?.docs ?? [];
  for (const commit of Array.from(docs).slice(0, MAX_MESSAGES)) {
    const match = pattern.exec(commits.message(commit));
    const minimum = match?.[1] ?? match?.[2];
    if (match && minimum) return { required: match[0], minimum, path: null, commit };
  }
  return null;
}

/** Lowest version of a requirement such as `^18.0 || >=20`, `>= 3.9, <4`, `1.21`; null when it states none. */
function minimumVersion(required: string): string | null {
  const lowest = required
    .split('||')
    .flatMap((range) => /(?<![<\d.!])(?:>=?|\^|~>?|==?|v)?\s*(\d+(?:\.\d+)*)/.exec(range)?.[1] ?? [])
    .sort(compareVersions)[0];
  return lowest ?? null;
}

/** Compares versions by their numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let at = 0; at < Math.max(left!.length, right!.length); at++) {
    const difference = (left![at] ?? 0) - (right![at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
