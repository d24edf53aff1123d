import { z } from 'zod';
import { id, MAX_LIST, paging } from './common.ts';
import { feedback } from './debug.ts';
import { commitPage } from './projects.ts';
import { route } from './route.ts';

/** Feedback with what it is about. */
const feedbackRecord = feedback.extend({
  session_id: z.string(),
  /** Type and first line of the error. */
  session_title: z.string(),
  author: z.string(),
});
export type FeedbackRecord = z.infer<typeof feedbackRecord>;

export const historyRoutes = {
  commits: route({
    method: 'GET',
    path: '/history/commits/:id',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Same list as `/projects/{id}/commits`',
    params: z.object({ id }),
    query: paging.extend({
      /** Clients of the specification repeat the id here. */
      project_id: id.optional(),
    }),
    reply: commitPage,
  }),
  giveFeedback: route({
    method: 'POST',
    path: '/history/feedback',
    apiKey: 'write',
    summary: 'Rate an answer; a second call replaces the rating',
    body: z.object({
      /** The session's id, or the caller's own number of it. */
      debug_query_id: z.union([id, z.number().int().min(1).max(2_147_483_647)]),
      helpful: z.boolean(),
      comments: z.string().max(2000).nullish(),
    }),
    reply: feedback,
    status: 201,
  }),
  feedback: route({
    method: 'GET',
    path: '/history/feedback/:id',
    apiKey: 'read',
    summary: 'List the feedback of a session, or of a project with `scope=project`',
    params: z.object({ id }),
    query: z.object({ scope: z.enum(['session', 'project']).default('session') }),
    reply: z.array(feedbackRecord).max(MAX_LIST),
  }),
};
