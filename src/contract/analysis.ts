import { z } from 'zod';
import { id } from './common.ts';
import { modelRun } from './debug.ts';
import { MAX_EDIT_BODY_BYTES } from './ide.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';

const path = z.string().min(1).max(1024);
const revisionName = z.string().min(1).max(200);

/** A change to the text that resolves a finding. Lines and columns count from 1; columns are UTF-16 units. */
const quickFix = z.object({
  /** The checker's words, in English. */
  title: z.string(),
  edits: z
    .array(
      z.object({
        line: z.number(),
        column: z.number(),
        end_line: z.number(),
        end_column: z.number(),
        text: z.string(),
      }),
    )
    .max(200),
});
export type QuickFix = z.infer<typeof quickFix>;

const diagnostic = z.object({
  /** Lines and columns count from 1; columns are UTF-16 units, and absent where the whole line is meant. */
  line: z.number(),
  column: z.number().optional(),
  end_line: z.number().optional(),
  end_column: z.number().optional(),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  /** The checker, and its name for the finding: `ruff F401`. */
  source: z.string(),
  fixes: z.array(quickFix).max(10).optional(),
});
export type Diagnostic = z.infer<typeof diagnostic>;

/** Findings of the checkers that are shown of one file. */
export const MAX_DIAGNOSTICS = 200;

/** The check of types: done, or the reason that it was not. Packages are never installed. */
const typeCheck = z.object({
  status: z.enum(['checked', 'stopped', 'timed_out', 'too_large', 'busy']),
  /** Findings left out, since they may come from packages that are not there. */
  hidden: z.number(),
  /** Names of those packages. */
  missing_packages: z.array(z.string()).max(200),
  /** Only statements that had changed were checked; findings of the others are those of the last check. */
  is_partial: z.boolean(),
});
export type TypeCheck = z.infer<typeof typeCheck>;

const findings = {
  /** Errors first, each kind in the order of the lines. */
  errors: z.array(diagnostic).max(MAX_DIAGNOSTICS),
  /** Checkers that ran on the file; empty for a language without one. */
  checkers: z.array(z.string()).max(10),
  /** Null for languages other than TypeScript and JavaScript. */
  types: typeCheck.nullish(),
};

const checkedText = {
  code: z.string().max(MAX_EDIT_BODY_BYTES),
  file_path: path,
  /** Branch or revision of the other files; the caller's working branch when absent. */
  ref: revisionName.nullish(),
  /** Other files with unsaved changes, whose types this one may use. */
  unsaved: z
    .array(z.object({ path, code: z.string().max(MAX_EDIT_BODY_BYTES) }))
    .max(20)
    .default([]),
};

export const analyzeBody = z.object({
  ...checkedText,
  error_message: z.string().max(100_000).nullish(),
  additional_context: z.string().max(20_000).nullish(),
  use_reference_pack: z.boolean().default(true),
});

const analysis = z.object({
  ...findings,
  /** Markdown; null without findings. */
  solution: z.string().nullable(),
  /** A patch that was checked to apply to the indexed commit. */
  patch: z.string().nullish(),
  /** The language model that was asked about the error that the reader named; null where none was. */
  model_run: modelRun.nullish(),
});
export type Analysis = z.infer<typeof analysis>;

const check = z.object(findings);
export type Check = z.infer<typeof check>;

const fixedLines = z.object({
  /** From 1, in the version that was asked for. */
  line: z.number(),
  lines: z.number(),
  /** The fix that wrote them. */
  hash: z.string(),
  subject: z.string(),
  author: z.string(),
  /** ISO 8601; empty for a broken date. */
  timestamp: z.string(),
});
export type FixedLines = z.infer<typeof fixedLines>;

const companion = z.object({
  path: z.string(),
  /** Commits that changed both files, of those that changed this one. */
  together: z.number(),
  of: z.number(),
  /** The newest of them. */
  last_commit: z.string(),
});

const fileRisks = z.object({
  /** Lines that a fix wrote, in their order. */
  fixed_lines: z.array(fixedLines).max(100),
  /** Place among the files that changed most in the last 12 months of the history; null below the tenth. */
  hotspot: z
    .object({ rank: z.number(), commits: z.number(), fixes: z.number(), last_commit: z.string() })
    .nullable(),
  /** Files that usually change in the same commits and have not changed on the branch. */
  companions: z.array(companion).max(5),
});
export type FileRisks = z.infer<typeof fileRisks>;

export const analysisRoutes = {
  analyze: route({
    method: 'POST',
    path: '/ide/projects/:id/debug/ide',
    apiKey: 'read',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    rateLimits: [{ bucket: 'analyze', limit: 'analysesPerUser', per: 'user', publicOnly: true }],
    summary: 'Check a file of the editor and explain the findings',
    params: projectParams,
    body: analyzeBody,
    bodyLimit: MAX_EDIT_BODY_BYTES,
    reply: analysis,
  }),
  check: route({
    method: 'POST',
    path: '/ide/projects/:id/checks',
    apiKey: 'read',
    projectFrom: 'path',
    allowedWhenDiskFull: true,
    rateLimits: [{ bucket: 'check', limit: 'checksPerUser', per: 'user', publicOnly: true }],
    summary: 'Check a file of the editor as it is typed: syntax, likely mistakes, types',
    description:
      'Types of TypeScript and JavaScript are checked with the files of the project at `ref`. Nothing of the project is run, and packages are not installed: findings that may come from them are left out and counted in `types.hidden`.',
    params: projectParams,
    body: z.object({
      ...checkedText,
      /** Computes the quick fixes of the type checker as well, which takes longer. */
      with_fixes: z.boolean().default(false),
      /** Checks the types of the statements that differ from the text of the last check, where these can be told. */
      only_changes: z.boolean().default(false),
    }),
    bodyLimit: MAX_EDIT_BODY_BYTES,
    reply: check,
  }),
  risks: route({
    method: 'GET',
    path: '/ide/projects/:id/risks/*',
    apiKey: 'read',
    projectFrom: 'path',
    summary:
      'Get what the history says about changing a file: lines of earlier fixes, activity, files that change with it',
    params: z.object({ id, '*': path }),
    query: z.object({ ref: revisionName.optional() }),
    reply: fileRisks,
  }),
};
