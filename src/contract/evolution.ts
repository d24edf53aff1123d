import { z } from 'zod';
import { MAX_LIST } from './common.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';

/** A day such as `2024-05-31`, in UTC. */
const day = z.iso.date();

/** Part of the history: a period, both days included, and a folder or file. */
const evolutionScope = z.object({
  /** The 12 months up to the newest commit when both are absent. */
  from: day.optional(),
  to: day.optional(),
  path: z.string().trim().max(1000).optional(),
});

/** The scope that was measured. */
const measuredScope = z.object({
  /** Indexed commit that was measured. */
  commit: z.string(),
  from: day,
  to: day,
  /** Empty for the whole project. */
  path: z.string(),
  /** Days of the first and the last commit of the whole history; null without any commit. */
  first_day: day.nullable(),
  last_day: day.nullable(),
});
export type MeasuredScope = z.infer<typeof measuredScope>;

/** Periods of a time axis: at most 80 but for years. */
const MAX_PERIODS = 300;

const contributor = z.object({
  name: z.string(),
  commits: z.number(),
  first_day: day,
  last_day: day,
  /** Commits by period. */
  counts: z.array(z.number()).max(MAX_PERIODS),
});

/** The few largest of many values: the smallest number that makes up a third of their sum, and their share of it. */
const concentration = z.object({ top: z.number(), of: z.number(), share: z.number() });

const changedFile = z.object({
  path: z.string(),
  changes: z.number(),
  fixes: z.number(),
  lines: z.number(),
  /** Branches and loops in its code. */
  decisions: z.number(),
  /** Newest commit of the scope that changed it, and the newest fix. */
  last_commit: z.string(),
  last_fix: z.string().nullable(),
});
export type FileActivity = z.infer<typeof changedFile>;

const fileList = z.object({
  /** Files that are ranked, of which the first are listed. */
  count: z.number(),
  concentration: concentration.nullable(),
  files: z.array(changedFile).max(MAX_LIST),
});

const evolution = z.object({
  scope: measuredScope,
  unit: z.enum(['day', 'week', 'month', 'quarter', 'year']),
  /** Commits by period, without merges. */
  periods: z
    .array(
      z.object({
        start: day,
        commits: z.number(),
        bots: z.number(),
        people: z.number(),
        fixes: z.number(),
        reverts: z.number(),
      }),
    )
    .max(MAX_PERIODS),
  activity: z.object({
    commits: z.number(),
    /** Commits of programs. */
    bot_commits: z.number(),
    people: z.number(),
    /** People whose first commit to the project lies in the period. */
    new_people: z.number(),
    /** Most commits first. */
    contributors: z.array(contributor).max(50),
    bots: z.array(contributor).max(20),
  }),
  /** Files of code by changes × branches. */
  hotspots: fileList,
  /** Files of code by fixes. */
  fixes: fileList.extend({ fixes: z.number(), reverts: z.number() }),
  /** By all history up to the end of the period. */
  knowledge: z.object({
    files: z.number(),
    bus_factor: z.number(),
    people_count: z.number(),
    people: z
      .array(
        z.object({
          name: z.string(),
          /** Files whose author this person is; a file may have several. */
          files: z.number(),
          last_day: day,
          /** A commit in the year before the end of the period. */
          active: z.boolean(),
        }),
      )
      .max(50),
    /** Files of which no author is active, largest first. */
    orphaned_count: z.number(),
    orphaned: z
      .array(z.object({ path: z.string(), owner: z.string(), last_day: day, lines: z.number() }))
      .max(100),
  }),
  /** Folders and files directly below the path, by how often a fix followed a change within 30 days. */
  risk: z
    .array(
      z.object({
        path: z.string(),
        kind: z.enum(['folder', 'file']),
        files: z.number(),
        people: z.number(),
        changes: z.number(),
        /** Changes that are old enough, and those that a fix of the same file followed. */
        judged: z.number(),
        followed: z.number(),
        /** 95 % confidence interval of followed ÷ judged. */
        interval: z.object({ low: z.number(), high: z.number() }).nullable(),
      }),
    )
    .max(100),
});
export type Evolution = z.infer<typeof evolution>;

const coupledPair = z.object({
  a: z.string(),
  b: z.string(),
  together: z.number(),
  changes_a: z.number(),
  changes_b: z.number(),
  last_commit: z.string(),
  /** In different folders, and neither mentions the other. */
  surprising: z.boolean(),
});

const coupling = z.object({
  scope: measuredScope,
  /** Surprising ones first. */
  pairs: z.array(coupledPair).max(100),
});
export type Coupling = z.infer<typeof coupling>;

const codeAge = z.object({
  commit: z.string(),
  path: z.string(),
  /** False while files are measured in the background. */
  complete: z.boolean(),
  /** Files of code, those that are to be measured, and those that are: a random sample of many. */
  files: z.number(),
  sample: z.number(),
  measured: z.number(),
  /** Lines of all files. */
  lines: z.number(),
  /** By the year in which lines were last changed, extrapolated from the files measured. */
  years: z
    .array(
      z.object({
        year: z.number(),
        lines: z.number(),
        /** Lines of code that all commits of the year added; null where unknown, and for a part of the project. */
        added: z.number().nullable(),
      }),
    )
    .max(MAX_LIST),
  /** Measured files whose lines are oldest on average. */
  oldest: z.array(z.object({ path: z.string(), lines: z.number(), year: z.number() })).max(100),
});
export type CodeAge = z.infer<typeof codeAge>;

export const evolutionRoutes = {
  get: route({
    method: 'GET',
    path: '/projects/:id/evolution',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Measure activity, hotspots, knowledge, fixes and risk of a period and a folder, from the index',
    params: projectParams,
    query: evolutionScope,
    reply: evolution,
  }),
  coupling: route({
    method: 'GET',
    path: '/projects/:id/evolution/coupling',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Find files that change together, those that nothing in the code joins first',
    params: projectParams,
    query: evolutionScope,
    reply: coupling,
  }),
  age: route({
    method: 'GET',
    path: '/projects/:id/evolution/age',
    apiKey: 'read',
    projectFrom: 'path',
    summary:
      'Get the age of the code and its survival by year; starts to measure it in the background when needed',
    params: projectParams,
    query: evolutionScope.pick({ path: true }),
    reply: codeAge,
  }),
};
