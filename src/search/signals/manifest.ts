import type { CodeTable } from '#memory/repository-index.ts';
import { memoizeByIdentity } from '../memoize-by-identity.ts';
import type { Signal } from './signal.ts';

/** Files that list what a program needs of others, by their names. */
const MANIFEST =
  /(?:^|\/)(?:setup\.py|setup\.cfg|pyproject\.toml|Pipfile|requirements[\w.-]*\.txt|package\.json|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|mix\.exs|[\w.-]+\.(?:gemspec|csproj))$/;
/** What people write, and programs print, when something of others is meant or missing. */
const DEPENDENCY_WORDS =
  /\b(?:librar(?:y|ies)|dependenc(?:y|ies)|depends? on|third[- ]party|no module named|cannot find (?:module|package)|no required module provides|can(?:'|no)t find crate)\b/i;

/**
 * Files that list what the program needs of others, where the text speaks of such things: 1 for those at the top, half of
 * it a folder further down. The text has no other word in common with them.
 */
export const manifest: Signal = ({ code, query }) =>
  DEPENDENCY_WORDS.test(query.text) ? manifestScores(code) : new Float32Array(code.fileCount);

const manifestScores = memoizeByIdentity((code: CodeTable) =>
  Float32Array.from({ length: code.fileCount }, (_, file) => {
    const path = code.filePath(file);
    return MANIFEST.test(path) ? 2 ** -(path.split('/').length - 1) : 0;
  }),
);
