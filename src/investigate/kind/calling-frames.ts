import type { CallingFrame } from '../guard/find-guard.ts';
import type { FrameOwner } from '../locate/frame-owners.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import type { Trace } from '../trace/trace.ts';

/** Frames outside the repository on both sides of the project's own. */
export interface CallingFrames {
  /** The innermost frame outside the repository that called in. */
  callingFrame: CallingFrame | null;
  /** The frame outside the repository that failed, called back by the project. */
  failedAt: CallingFrame | null;
}

/** Finds the code of others that called the project, and that failed inside it. */
export function findCallingFrames(
  trace: Trace,
  frames: readonly PlacedFrame[],
  owners: readonly FrameOwner[],
): CallingFrames {
  const failing = frames.find(({ depth, line }) => line !== null && owners[depth] === 'project');
  const outside = failing && trace.frames.find((_, at) => at > failing.depth && owners[at] === 'outside');
  const innermost = owners.findIndex((owner) => owner !== 'runtime' && owner !== 'dependency');
  const isCalledBack = owners[innermost] === 'outside' && owners.includes('project');
  return {
    callingFrame: outside ? { frame: outside, isInRepository: false } : null,
    failedAt: isCalledBack ? { frame: trace.frames[innermost]!, isInRepository: false } : null,
  };
}
