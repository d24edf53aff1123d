import type { PathMapping } from '#contract/project-settings.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type ErrorReport, reportText } from '../locate/error-report.ts';
import { findFrameOwners } from '../locate/frame-owners.ts';
import { findMessageOrigins } from '../locate/message-origin.ts';
import { readPackageNames } from '../locate/package-names.ts';
import { placeFrames } from '../locate/place-frames.ts';
import { withPrintedMessage } from '../locate/printed-messages.ts';
import { openSourceReader } from '../locate/source-reader.ts';
import { parseTrace } from '../trace/read-trace.ts';
import { matchProject, type ProjectMatch } from './match-project.ts';

interface ScoreProjectDeps {
  repo: string;
  index: RepositoryIndex;
  /** Deployed folders by the project's settings. */
  pathMappings?: readonly PathMapping[] | undefined;
  signal?: AbortSignal;
}

/** Measures how well an error matches a repository: its frames, message, class and names, without ranking files. */
export async function scoreProject(
  report: ErrorReport,
  { repo, index, pathMappings, signal }: ScoreProjectDeps,
): Promise<ProjectMatch> {
  const sources = openSourceReader(repo, index, signal);
  try {
    const parsed = parseTrace(report.error_message);
    const [frames, origins] = await Promise.all([
      placeFrames(parsed, { index, sources, pathMappings }),
      findMessageOrigins(parsed, { index, sources }),
    ]);
    const trace = withPrintedMessage(parsed, origins);
    const packages = index.code && (await readPackageNames(index.code, sources));
    const owners = findFrameOwners(trace, frames, packages);
    const text = reportText(report, trace);
    const pasted = report.error_message;
    return matchProject({ trace, text, pasted, frames, owners, origins, packages, index });
  } finally {
    sources.close();
  }
}
