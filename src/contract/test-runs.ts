import { z } from 'zod';
import { id, MAX_PAGE, oid, okReply, paging, timestamp } from './common.ts';
import { route } from './route.ts';

/** Bytes of an uploaded report. */
const MAX_REPORT_BYTES = 10 * 2 ** 20;
/** Characters of a failure that are stored. */
export const MAX_FAILURE_TEXT = 8_000;
const MAX_MIXED_COMMITS = 10;

/** Test run of a commit with the counts of its outcomes; a test that passed on a repetition counts as flaky. */
const testRun = z.object({
  id: z.string(),
  commit: z.string(),
  branch: z.string().nullable(),
  suite: z.string(),
  passed: z.number(),
  failed: z.number(),
  flaky: z.number(),
  skipped: z.number(),
  created_at: timestamp,
});
export type TestRun = z.infer<typeof testRun>;

/** Evidence for the state of a test. */
const testVerdict = z.object({
  /**
   * `flaky`: both outcomes at one commit, or failures that ended by themselves. `broken`: failing since a commit between `good` and
   * `bad`. `new`: failing since its first run. `unknown`: failing in every run that is known. `passing`: none of these.
   */
  state: z.enum(['passing', 'flaky', 'broken', 'new', 'unknown']),
  /** Branch on which it holds; null where runs name none. */
  branch: z.string().nullable(),
  /** Newest good commit before the break, and the first bad one that was tested. */
  good: z.string().nullable(),
  bad: z.string().nullable(),
  /** Commits of which one broke the test. */
  candidates: z.number(),
  /** Commits with both outcomes, newest first. */
  mixed: z.array(z.string()).max(MAX_MIXED_COMMITS),
  /** Failures that ended without a break, among the runs before the present state. */
  failures: z.number(),
  runs: z.number(),
});

const projectTest = testVerdict.extend({
  id: z.number(),
  suite: z.string(),
  /** Class, file or describe block; may be empty. */
  scope: z.string(),
  name: z.string(),
  file: z.string().nullable(),
  /** Newest failure that is stored. */
  last_failure: z.object({ commit: z.string(), at: timestamp, text: z.string() }).nullable(),
});
export type ProjectTest = z.infer<typeof projectTest>;

const params = z.object({ id });
const uploadQuery = z.object({
  commit: oid,
  branch: z.string().trim().min(1).max(250).optional(),
  /** Name of the suite or job; runs of one suite are compared. */
  suite: z.string().trim().max(100).default(''),
});
const testsQuery = paging.extend({
  state: z.enum(['failing', 'passing', 'flaky', 'broken', 'new', 'unknown']).default('failing'),
});

export const testRunRoutes = {
  upload: route({
    method: 'POST',
    path: '/projects/:id/test-runs',
    kind: 'raw',
    apiKey: 'write',
    projectFrom: 'path',
    bodyLimit: MAX_REPORT_BYTES,
    summary: 'Upload the JUnit report of a test run of a commit; the body is the XML itself',
    params,
    query: uploadQuery,
    reply: testRun,
    status: 201,
  }),
  list: route({
    method: 'GET',
    path: '/projects/:id/test-runs',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List the test runs, newest first',
    params,
    query: paging,
    reply: z.object({ runs: z.array(testRun).max(MAX_PAGE), total: z.number() }),
  }),
  tests: route({
    method: 'GET',
    path: '/projects/:id/tests',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List tests by state, flaky and broken ones by default, with the commits since which they fail',
    params,
    query: testsQuery,
    reply: z.object({ tests: z.array(projectTest).max(MAX_PAGE), total: z.number(), runs: z.number() }),
  }),
  clear: route({
    method: 'DELETE',
    path: '/projects/:id/test-runs',
    apiKey: 'write',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    summary: 'Delete all test runs of the project',
    params,
    reply: okReply,
  }),
};
