import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { isBuildFile, readConventions, readDeclaredTasks } from './build-files.ts';
import type { BuildFile, BuildTask } from './build-task.ts';

const MAX_FILES = 60;
const MAX_ROWS = 2_000;
const MAX_COMMAND_LENGTH = 160;
/** Folders whose build files are not the project's own. */
const FOREIGN = /(?:^|\/)(?:node_modules|vendor|third_party|fixtures?|testdata|examples?|template\w*)\//i;

/** Tasks that the build files declare, and those that only the conventions of an ecosystem give. */
interface BuildTasks {
  declared: BuildTask[];
  conventional: BuildTask[];
}

const cache = new WeakMap<RepositoryIndex, Promise<BuildTasks>>();

/** Reads the build files of the indexed revision, once per index, those nearest to the root first. */
export function readBuildTasks({
  index,
  sources,
}: Pick<ToolContext, 'index' | 'sources'>): Promise<BuildTasks> {
  const known = cache.get(index);
  if (known) return known;
  const tasks = loadBuildTasks(index, sources);
  cache.set(index, tasks);
  tasks.catch(() => cache.delete(index));
  return tasks;
}

async function loadBuildTasks(
  { code }: RepositoryIndex,
  sources: ToolContext['sources'],
): Promise<BuildTasks> {
  const paths = Array.from({ length: code?.fileCount ?? 0 }, (_, file) => code!.filePath(file));
  const depth = (path: string) => path.split('/').length;
  const found = paths
    .filter((path) => isBuildFile(path) && !FOREIGN.test(path))
    .toSorted((a, b) => depth(a) - depth(b) || a.localeCompare(b))
    .slice(0, MAX_FILES);
  const has = (path: string) => (code?.fileNumber(path) ?? -1) >= 0;
  const files = await Promise.all(
    found.map(async (path): Promise<BuildFile> => {
      return { path, has, rows: ((await sources.lines(path)) ?? []).slice(0, MAX_ROWS) };
    }),
  );
  const isShort = ({ command }: BuildTask) => command.length <= MAX_COMMAND_LENGTH;
  return {
    declared: files.flatMap(readDeclaredTasks).filter(isShort),
    conventional: files.filter(({ rows }) => rows.length > 0).flatMap(readConventions),
  };
}
