import { z } from 'zod';
import { id } from './common.ts';
import { errorState } from './error-groups.ts';
import { issueKind, issueState } from './issues.ts';
import { route } from './route.ts';

/** Items of one kind in one reply. */
const MAX_ITEMS = 8;
/** Characters of a name that are marked. */
const MAX_POSITIONS = 200;
/** Projects that one request looks at. */
export const MAX_PALETTE_PROJECTS = 30;

/** Places of the matching characters in the name. */
const positions = z.array(z.number()).max(MAX_POSITIONS);

const namedFile = z.object({ project_id: z.string(), path: z.string(), positions });

const namedSymbol = z.object({
  project_id: z.string(),
  name: z.string(),
  positions,
  path: z.string(),
  start: z.number(),
  end: z.number(),
});

const namedCommit = z.object({
  project_id: z.string(),
  hash: z.string(),
  subject: z.string(),
  /** ISO 8601; empty for a broken date. */
  timestamp: z.string(),
});

const namedIssue = z.object({
  project_id: z.string(),
  kind: issueKind,
  number: z.number(),
  title: z.string(),
  state: issueState,
});

const namedError = z.object({
  project_id: z.string(),
  session_id: z.string(),
  title: z.string(),
  state: errorState,
});

const namedChat = z.object({ project_id: z.string(), thread_id: z.string(), title: z.string() });

export const paletteRoutes = {
  find: route({
    method: 'GET',
    path: '/palette',
    summary: 'Find files, symbols, commits, issues, errors and chats of all projects by name while typing',
    query: z.object({
      q: z.string().trim().max(200).default(''),
      /** Project of the page: its names come first. */
      project_id: id.optional(),
      /** `symbols`: symbols alone. `history`: commits and errors, the newest without a text. */
      kind: z.enum(['all', 'symbols', 'history']).default('all'),
    }),
    reply: z.object({
      files: z.array(namedFile).max(MAX_ITEMS),
      symbols: z.array(namedSymbol).max(MAX_ITEMS),
      commits: z.array(namedCommit).max(MAX_ITEMS),
      issues: z.array(namedIssue).max(MAX_ITEMS),
      errors: z.array(namedError).max(MAX_ITEMS),
      chats: z.array(namedChat).max(MAX_ITEMS),
      /** Projects whose names are still being collected; they are missing from this reply. */
      preparing: z.number(),
      /** Projects that are not looked at, since the caller has too many. */
      omitted: z.number(),
      took_ms: z.number(),
    }),
  }),
};
