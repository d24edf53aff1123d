import type { ErrorEventFrame } from '#contract/error-events.ts';

/** A frame that is shown, or a run of frames of libraries that is folded. */
type FrameGroup = { frame: ErrorEventFrame } | { folded: ErrorEventFrame[] };

/** Frames that stay visible where none belongs to the project. */
const MAX_FOREIGN = 3;

/** Folds runs of frames of libraries between those of the project; without any of those, all but the innermost ones. */
export function foldFrames(frames: readonly ErrorEventFrame[]): FrameGroup[] {
  const hasOwn = frames.some((frame) => frame.in_app);
  const groups: FrameGroup[] = [];
  for (const [index, frame] of frames.entries()) {
    const last = groups.at(-1);
    if (frame.in_app || (!hasOwn && index < MAX_FOREIGN)) groups.push({ frame });
    else if (last && 'folded' in last) last.folded.push(frame);
    else groups.push({ folded: [frame] });
  }
  // A single frame takes no more room than the note that it is folded.
  return groups.flatMap((group) =>
    'folded' in group && group.folded.length === 1 ? [{ frame: group.folded[0]! }] : [group],
  );
}
