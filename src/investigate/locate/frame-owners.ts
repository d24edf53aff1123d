import type { Trace } from '../trace/trace.ts';
import type { PackageNames } from './package-names.ts';
import type { PlacedFrame } from './place-frames.ts';
import { isRuntimePath, parsePrintedPath } from './printed-path.ts';

/**
 * Program that a frame belongs to; `outside` is code that uses the project, or that has nothing to do with it. A `mention` is a
 * file that a text without a trace names.
 */
export type FrameOwner = 'project' | 'dependency' | 'runtime' | 'outside' | 'mention';

/** Owners of the frames of a trace, in their order. Compiled files of the project's own packages are in no tree. */
export function findFrameOwners(
  trace: Trace,
  placed: PlacedFrame[],
  packages: PackageNames | null,
): FrameOwner[] {
  const own = new Set(
    placed.filter(({ depth, isCertain }) => depth >= 0 && isCertain).map(({ depth }) => depth),
  );
  return trace.frames.map(({ path }, depth) => {
    if (own.has(depth)) return 'project';
    if (trace.language === null) return 'mention';
    if (isRuntimePath(path)) return 'runtime';
    const name = parsePrintedPath(path).package;
    if (name === null) return 'outside';
    return packages?.has(name.toLowerCase()) ? 'project' : 'dependency';
  });
}
