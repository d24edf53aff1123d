import type { ContextUse } from '#contract/chat.ts';
import type { Usage } from '../models/port.ts';

/** Texts of a prompt by their part; a number counts characters. */
interface PromptParts {
  conversation: (string | number)[];
  evidence: (string | number)[];
  attachments: (string | number)[];
  images: number;
  system: string;
  reply: string;
}

/** Characters of a token, on average over code and English. */
const CHARS_PER_TOKEN = 4;
/** Tokens of an image: providers count 260 to 1,600 by its size. */
const TOKENS_PER_IMAGE = 1_000;

/**
 * Measures which part of a model's context an answer took. The provider's count is divided by the characters of each part;
 * without one, the characters are counted, which is an estimate.
 */
export function measureContext(usage: Usage, window: number | null, parts: PromptParts): ContextUse {
  const tokensOf = (texts: (string | number)[]) =>
    texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : text), 0) /
    CHARS_PER_TOKEN;
  const conversation = tokensOf(parts.conversation) + tokensOf([parts.reply]);
  const evidence = tokensOf(parts.evidence);
  const attachments = tokensOf(parts.attachments) + parts.images * TOKENS_PER_IMAGE;
  const estimate = conversation + evidence + attachments + tokensOf([parts.system]);
  const reported = usage.context ?? null;
  const tokens = Math.round(reported ?? estimate);
  // Tools and their calls are part of the provider's count alone, so parts only ever shrink.
  const scale = Math.min(1, tokens / Math.max(1, estimate));
  const share = (part: number) => Math.round(part * scale);
  return {
    ...{ tokens, window, is_estimate: reported === null },
    parts: { conversation: share(conversation), evidence: share(evidence), attachments: share(attachments) },
  };
}
