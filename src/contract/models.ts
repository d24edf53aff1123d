import { z } from 'zod';
import { MAX_PAGE, okReply, timestamp } from './common.ts';
import { route } from './route.ts';

export const modelProvider = z.enum(['anthropic', 'openai', 'google', 'ollama', 'openai-compatible']);

/** Capabilities that a probe of the model found. */
export const modelCapabilities = z.object({
  streaming: z.boolean(),
  tools: z.boolean(),
  structured_output: z.boolean(),
  /** It described a small image correctly. */
  images: z.boolean(),
  /** Tokens that a prompt may have; null when the provider does not report it. */
  context_window: z.number().nullable(),
  first_token_ms: z.number().nullable(),
  /** Beginning of its reply to the first prompt; null without one. */
  reply: z.string().max(200).nullable(),
  /** Error message of the probe; null when it succeeded. */
  error: z.string().nullable(),
  /** The provider's own words about the error, without the key; null when it gave none. */
  provider_message: z.string().max(300).nullable(),
});

const modelConfig = z.object({
  /** Source of the configuration; null: no model is configured, and answers are assembled from the evidence alone. */
  source: z.enum(['environment', 'admin']).nullable(),
  provider: modelProvider.nullable(),
  name: z.string().nullable(),
  base_url: z.string().nullable(),
  has_api_key: z.boolean(),
});
export type ModelConfig = z.infer<typeof modelConfig>;

/** Settings of a model with its key. */
export const modelBody = z.object({
  provider: modelProvider,
  name: z.string().trim().min(1, 'model_name_empty').max(200),
  /** Base URL of its API; the default of the provider when absent. */
  base_url: z
    .string()
    .trim()
    .max(500)
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'web_url_format')
    .nullish(),
  /** Absent: the stored key is kept. */
  api_key: z.string().trim().min(1).max(1000).nullish(),
});

const amount = {
  /** Input and output tokens. */
  tokens: z.number(),
  /** In the operator's currency; 0 where no prices are set. */
  cost: z.number(),
};

const periodUsage = z.object({
  ...amount,
  /** Limits; null: unlimited. */
  budget: z.object({ tokens: z.number().nullable(), cost: z.number().nullable() }),
  /** Time at which the counters reset. */
  resets_at: timestamp,
});

/** Language model usage of a user, including reservations of answers in progress. Days are UTC. */
const modelUsage = z.object({
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
    summary: 'List language model usage of this month by user, highest first',
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
    summary: 'Get the language model settings without the key',
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
    summary: 'Remove the language model',
    access: 'admin',
    reply: okReply,
  }),
  probe: route({
    method: 'POST',
    path: '/admin/model/probe',
    allowedWhenDiskFull: true,
    feature: 'models',
    summary: 'Test the language model and detect its capabilities',
    access: 'admin',
    reply: modelCapabilities,
  }),
};
