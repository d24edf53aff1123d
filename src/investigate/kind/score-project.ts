import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type ErrorReport, reportText } from '../locate/error-report.ts';
import { findFrameOwners } from '../locate/frame-owners.ts';
import { findMessageOrigins } from '../locate/message-origin.ts';
import { placeFrames } from '../locate/place-frames.ts';
import { openSourceReader } from '../locate/source-reader.ts';
import { parseTrace } from '../trace/read-trace.ts';
import { matchProject, type ProjectMatch } from './match-project.ts';

/** Measures how well an error matches a repository: its frames, message, class and names, without ranking files. */
export async function scoreProject(
  report: ErrorReport,
  { repo, index, signal }: { repo: string; index: RepositoryIndex; signal?: AbortSignal },
): Promise<ProjectMatch> {
  const sources = openSourceReader(repo, index, signal);
  try {
    const trace = parseTrace(report.error_message);
    const [frames, origins] = await Promise.all([
      placeFrames(trace, { index, sources }),
      findMessageOrigins(trace, { index, sources }),
    ]);
    const owners = findFrameOwners(trace, frames);
    return matchProject({ trace, text: reportText(report, trace), frames, owners, origins, index });
  } finally {
    sources.close();
  }
}
