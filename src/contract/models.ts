import { z } from 'zod';
import { done, MAX_PAGE, timestamp } from './common.ts';
import { route } from './route.ts';

export const modelProvider = z.enum(['anthropic', 'openai', 'google', 'ollama', 'openai-compatible']);

/** What a model was found to be able to do. */
export const modelCapabilities = z.object({
  streaming: z.boolean(),
  tools: z.boolean(),
  structured: z.boolean(),
  /** Units of its own that a prompt may have; null when the provider does not say. */
  context: z.number().nullable(),
  first_token_ms: z.number().nullable(),
  /** Why it does not answer, in words; null when it does. */
  problem: z.string().nullable(),
});

export const modelState = z.object({
  /** Who set it; null: no model is configured, and answers are written from the evidence alone. */
  set_by: z.enum(['environment', 'admin']).nullable(),
  provider: modelProvider.nullable(),
  name: z.string().nullable(),
  base_url: z.string().nullable(),
  has_key: z.boolean(),
});
export type ModelState = z.infer<typeof modelState>;

export const modelBody = z.object({
  provider: modelProvider,
  name: z.string().trim().min(1, 'Name the model').max(200),
  /** Where it answers; the provider's own address when absent. */
  base_url: z
    .string()
    .trim()
    .max(500)
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'Enter a web address')
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

const spanUse = z.object({
  ...amount,
  /** What may be taken; null: as much as is wanted. */
  budget: z.object({ tokens: z.number().nullable(), cost: z.number().nullable() }),
  /** When the count begins again. */
  until: timestamp,
});

/** What a person's answers took of the language model, with what those being written set aside. Days are those of UTC. */
export const modelUse = z.object({
  day: spanUse,
  month: spanUse,
  /** Null where no prices are set. */
  currency: z.string().nullable(),
});
export type ModelUse = z.infer<typeof modelUse>;

export const modelRoutes = {
  use: route({
    method: 'GET',
    path: '/model/use',
    summary:
      "What the caller's answers took of the language model today and this month, and what they may take",
    reply: modelUse,
  }),
  users: route({
    method: 'GET',
    path: '/admin/model/use',
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
    reply: modelState,
  }),
  set: route({
    method: 'PUT',
    path: '/admin/model',
    summary: 'Set the language model; its key is stored encrypted',
    access: 'admin',
    body: modelBody,
    reply: modelState,
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/model',
    summary: 'Do without the language model that was set here',
    access: 'admin',
    reply: done,
  }),
  probe: route({
    method: 'POST',
    path: '/admin/model/probe',
    switch: 'models',
    summary: 'Ask the language model three small questions, and say what it can do',
    access: 'admin',
    reply: modelCapabilities,
  }),
};
