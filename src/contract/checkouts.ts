import { z } from 'zod';
import { MAX_LIST } from './common.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';

const folder = z
  .string()
  .trim()
  .min(1, 'checkout_folder')
  .max(500)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is refused.
  .regex(/^[^\0-\x1f]*$/, 'checkout_folder');

/** Clone of a project on the reader's computer. */
const checkout = z.object({
  project_id: z.string(),
  project_name: z.string(),
  /** Folder of the clone, or the name of the project in an editor of JetBrains. */
  folder: z.string(),
});
export type Checkout = z.infer<typeof checkout>;

export const checkoutRoutes = {
  list: route({
    method: 'GET',
    path: '/checkouts',
    summary: "List the caller's local clones, for links that open code in their own editor",
    reply: z.object({ checkouts: z.array(checkout).max(MAX_LIST) }),
  }),
  save: route({
    method: 'PUT',
    path: '/projects/:id/checkout',
    summary: "Save where the caller's clone of a project is, or forget it",
    params: projectParams,
    body: z.object({ folder: folder.nullable() }),
    reply: z.object({ folder: z.string().nullable() }),
  }),
};
