import { resolvePathMention } from '../lexical/path-mentions.ts';
import type { FrameHint, Signal, SignalInput } from './signal.ts';

/** Outer frames beyond these are rarely at fault. */
const MAX_FRAMES = 30;

/** Files in the stack trace: 1 for the innermost frame in the tree, then a half, a third and so on. */
export const frames: Signal = (input) => {
  const values = new Float32Array(input.code.fileCount);
  let rank = 0;
  for (const frame of input.frames.slice(0, MAX_FRAMES)) {
    const files = filesOf(input, frame);
    if (files.length === 0) continue;
    rank++;
    for (const file of files) values[file]! += 1 / rank / files.length;
  }
  return values;
};

function filesOf({ code }: SignalInput, frame: FrameHint): number[] {
  const exact = code.fileNumber(frame.path);
  return exact >= 0 ? [exact] : resolvePathMention(code, frame.path);
}
