import { z } from 'zod';
import { id, MAX_PAGE, okReply, timestamp } from './common.ts';
import { modelBody, modelCapabilities, modelProvider } from './models.ts';
import { route } from './route.ts';

/** Hosts that an administrator can list. */
const MAX_MODEL_HOSTS = 50;

/** `api.example.org` or `models.lan:8443`. */
const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(300)
  .regex(/^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/, 'host_format');

/** Providers that models of people and projects may use: none, the listed hosts, or any public host. */
const ownModelPolicy = z.object({
  mode: z.enum(['off', 'listed', 'public']),
  hosts: z.array(hostName).max(MAX_MODEL_HOSTS),
});
export type OwnModelPolicy = z.infer<typeof ownModelPolicy>;

/** A model of a person or a project, without its key. */
const ownModel = z.object({
  provider: modelProvider,
  name: z.string(),
  base_url: z.string(),
  has_api_key: z.boolean(),
  /** `not_allowed`: an administrator does not allow the host. `other_owner`: the project has another owner since. */
  state: z.enum(['usable', 'not_allowed', 'other_owner']),
  /** Results of the last successful test; null before one. */
  tested: z.object({ images: z.boolean(), context_window: z.number().nullable(), at: timestamp }).nullable(),
});
export type OwnModel = z.infer<typeof ownModel>;

const state = z.object({ model: ownModel.nullable(), policy: ownModelPolicy });

/** Origin of the model that answers: the project's, the caller's own, or the server's. */
export const modelSource = z.enum(['project', 'own', 'server']);
export type ModelSource = z.infer<typeof modelSource>;

/** The model that answers the caller's questions about a project. */
const answeringModel = z.object({
  source: modelSource,
  /** `provider:name`. */
  name: z.string(),
  /** Host that receives questions, evidence and attachments. */
  host: z.string(),
  /** False also means: not tested yet. */
  images: z.boolean(),
  is_tested: z.boolean(),
  /** Tokens; null when unknown. */
  context_window: z.number().nullable(),
  /** Reason why it is not used, so that answers are assembled without a model; null when it answers. */
  unusable: z.enum(['not_allowed', 'other_owner']).nullable(),
});
export type AnsweringModel = z.infer<typeof answeringModel>;

const params = z.object({ id });
const testLimit = {
  rateLimits: [{ bucket: 'model-test', limit: 'credentialTestsPerUser', per: 'user' }],
} as const;

export const ownModelRoutes = {
  own: route({
    method: 'GET',
    path: '/model/own',
    summary: "Get the caller's own language model, without its key, and what an administrator allows",
    reply: state,
  }),
  setOwn: route({
    method: 'PUT',
    path: '/model/own',
    feature: 'models',
    summary: "Set the caller's own language model; its key is stored encrypted and bound to its URL",
    body: modelBody,
    reply: state,
  }),
  removeOwn: route({
    method: 'DELETE',
    path: '/model/own',
    allowedWhenDiskFull: true,
    summary: "Remove the caller's own language model and its key",
    reply: okReply,
  }),
  testOwn: route({
    method: 'POST',
    path: '/model/own/test',
    ...testLimit,
    feature: 'models',
    summary: "Test the caller's own language model and detect its capabilities",
    reply: modelCapabilities,
  }),
  project: route({
    method: 'GET',
    path: '/projects/:id/model',
    projectFrom: 'path',
    summary: 'Get the language model of a project, without its key',
    params,
    reply: state,
  }),
  setProject: route({
    method: 'PUT',
    path: '/projects/:id/model',
    projectFrom: 'path',
    feature: 'models',
    summary: 'Set the language model of a project, which then answers all its members',
    params,
    body: modelBody,
    reply: state,
  }),
  removeProject: route({
    method: 'DELETE',
    path: '/projects/:id/model',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: 'Remove the language model of a project and its key',
    params,
    reply: okReply,
  }),
  testProject: route({
    method: 'POST',
    path: '/projects/:id/model/test',
    projectFrom: 'path',
    ...testLimit,
    feature: 'models',
    summary: 'Test the language model of a project and detect its capabilities',
    params,
    reply: modelCapabilities,
  }),
  answering: route({
    method: 'GET',
    path: '/projects/:id/model/answering',
    apiKey: 'read',
    projectFrom: 'path',
    summary: "Get the model that answers the caller's questions about a project, and where its data goes",
    params,
    reply: z.object({ model: answeringModel.nullable() }),
  }),
  policy: route({
    method: 'GET',
    path: '/admin/own-models',
    access: 'admin',
    summary: 'Get which models people and projects may bring, and how many do',
    reply: z.object({
      policy: ownModelPolicy,
      in_use: z.array(z.object({ host: z.string(), models: z.number() })).max(MAX_PAGE),
    }),
  }),
  setPolicy: route({
    method: 'PUT',
    path: '/admin/own-models',
    access: 'admin',
    allowedWhenDiskFull: true,
    summary: 'Set which models people and projects may bring',
    body: ownModelPolicy,
    reply: ownModelPolicy,
  }),
};
