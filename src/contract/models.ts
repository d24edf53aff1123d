import { z } from 'zod';
import { MAX_PAGE, okReply, timestamp } from './common.ts';
import { route } from './route.ts';

export const modelProvider = z.enum(['anthropic', 'openai', 'google', 'ollama', 'openai-compatible']);

/** What a model was found to be able to do. */
export const modelCapabilities = z.object({
  streaming: z.boolean(),
  tools: z.boolean(),
  structured_output: z.boolean(),
  /** Units of its own that a prompt may have; null when the provider does not say. */
  context_window: z.number().nullable(),
  first_token_ms: z.number().nullable(),
  /** Why it does not answer, in words; null when it does. */
  error: z.string().nullable(),
});

export const modelConfig = z.object({
  /** Who set it; null: no model is configured, and answers are written from the evidence alone. */
  source: z.enum(['environment', 'admin']).nullable(),
  provider: modelProvider.nullable(),
  name: z.string().nullable(),
  base_url: z.string().nullable(),
  has_api_key: z.boolean(),
});
export type ModelConfig = z.infer<typeof modelConfig>;

export const modelBody = z.object({
  provider: modelProvider,
  name: z.string().trim().min(1, 'model_name_empty').max(200),
  /** Where it answers; the provider's own address when absent. */
  base_url: z
    .string()
    .trim()
    .max(500)
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'web_url_format')
    .nullish(),
  /** Absent: the key that is stored stays. */
  api_key: z.string().trim().min(1).max(1000).nullish(),
});

const amount = {
  /** Read and written ones together. */
  tokens: z.number(),
  /** In the operator's currency; 0 where no prices are set. */
  cost: z.number(),
};

const periodUsage = z.object({
  ...amount,
  /** What may be taken; null: as much as is wanted. */
  budget: z.object({ tokens: z.number().nullable(), cost: z.number().nullable() }),
  /** When the count begins again. */
  resets_at: timestamp,
});

/** What a person's answers took of the language model, with what those being written set aside. Days are those of UTC. */
export const modelUsage = z.object({
  day: periodUsage,
  month: periodUsage,
  /** Null where no prices are set. */
  currency: z.string().nullable(),
});
export type ModelUsage = z.infer<typeof modelUsage>;

export const modelRoutes = {
  usage: route({
    method: 'GET',
    path: '/model/usage',
    summary:
      "What the caller's answers took of the language model today and this month, and what they may take",
    reply: modelUsage,
  }),
  users: route({
    method: 'GET',
    path: '/admin/model/usage',
    summary: "What everybody's answers took of the language model this month, the most first",
    access: 'admin',
    reply: z.object({
      users: z
        .array(z.object({ id: z.string(), username: z.string(), ...amount, answers: z.number() }))
        .max(MAX_PAGE),
      currency: z.string().nullable(),
    }),
  }),
  state: route({
    method: 'GET',
    path: '/admin/model',
    summary: 'The language model that writes answers, without its key',
    access: 'admin',
    reply: modelConfig,
  }),
  set: route({
    method: 'PUT',
    path: '/admin/model',
    allowedWhenDiskFull: true,
    summary: 'Set the language model; its key is stored encrypted',
    access: 'admin',
    body: modelBody,
    reply: modelConfig,
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/model',
    allowedWhenDiskFull: true,
    summary: 'Do without the language model that was set here',
    access: 'admin',
    reply: okReply,
  }),
  probe: route({
    method: 'POST',
    path: '/admin/model/probe',
    allowedWhenDiskFull: true,
    feature: 'models',
    summary: 'Ask the language model three small questions, and say what it can do',
    access: 'admin',
    reply: modelCapabilities,
  }),
};
