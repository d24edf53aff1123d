import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import type { Signal } from './signal.ts';

/** Package manifests, by name. */
const MANIFEST =
  /(?:^|\/)(?:setup\.py|setup\.cfg|pyproject\.toml|Pipfile|requirements[\w.-]*\.txt|package\.json|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|mix\.exs|[\w.-]+\.(?:gemspec|csproj))$/;
/** Words for a dependency that is meant or missing, in reports and in error messages. */
const DEPENDENCY_WORDS =
  /\b(?:librar(?:y|ies)|dependenc(?:y|ies)|depends? on|third[- ]party|no module named|cannot find (?:module|package)|no required module provides|can(?:'|no)t find crate)\b/i;

/** Package manifests, if the text mentions dependencies: 1 at the top level, halved for each folder below. */
export const manifest: Signal = ({ code, query }) =>
  DEPENDENCY_WORDS.test(query.text) ? manifestScores(code) : new Float32Array(code.fileCount);

const manifestScores = memoizeByIdentity((code: CodeTable) =>
  Float32Array.from({ length: code.fileCount }, (_, file) => {
    const path = code.filePath(file);
    return MANIFEST.test(path) ? 2 ** -(path.split('/').length - 1) : 0;
  }),
);
