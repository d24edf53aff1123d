import type { DebugAnswer } from '#contract/debug.ts';
import recorded from './recorded-answer.json';

/** A real error, and what the program answered to it; `e2e/record.ts` records it anew. */
export const RECORDED = recorded as unknown as { error: string; recorded_at: string; answer: DebugAnswer };
