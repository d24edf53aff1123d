import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { toFieldMessage } from '#contract/field-message.ts';
import { firstLine } from '#contract/first-line.ts';
import type { PastSession } from '#investigate/fixes/similar-sessions.ts';
import type { SourceReader } from '#investigate/locate/source-reader.ts';
import { formatMessage } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { type Citation, parseCitations, strikeUnresolvedCitations } from '../answer/citations.ts';
import { citeFrom, type IssueRecord } from '../answer/issue-record.ts';

/** The repository that tools read, as far as the caller may see it. */
export interface ToolContext {
  /** Absolute path of the bare repository. */
  repo: string;
  index: RepositoryIndex;
  sources: SourceReader;
  /** True when the branches below `refs/heads` are the caller's own, as in a local clone. */
  localBranches?: boolean;
  /** Folder of the change index; null or absent without one. */
  hunks?: string | null;
  /** Embedding of the question; null or absent without an embedding model. */
  queryEmbedding?: QueryEmbedding | null;
  /** Earlier debug sessions of the project. */
  sessions?: PastSession[];
  /** Imported issues that the input or the question means; absent where none are imported. */
  issues?: readonly IssueRecord[];
  /** Language of the texts; English when absent. */
  language?: Language;
  /** Seconds since 1970. */
  now: number;
  signal?: AbortSignal;
}

/** Result of a tool: markdown of at most `MAX_RESULT_LENGTH` characters, and its citations, all of which resolve. */
export interface ToolResult {
  text: string;
  citations: Citation[];
}

/** A read-only query of a repository: for models, MCP clients, the command line and the intent router. */
export interface Tool {
  readonly name: string;
  /** One line for lists. */
  readonly summary: string;
  /** For models: purpose and when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly readOnly: true;
  /** Validates the input and runs the tool. Throws AppError: `invalid_input` with the invalid fields. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>;
}

/** Characters of a result; longer ones are truncated. */
export const MAX_RESULT_LENGTH = 16_000;

type Execute<S extends z.ZodObject> = (input: z.output<S>, context: ToolContext) => Promise<string>;

/**
 * Declares a tool. The file `<name>.md` is its description, the first line its summary. `execute` returns markdown for
 * validated input.
 */
export function defineTool<S extends z.ZodObject>(
  name: string,
  { input, execute }: { input: S; execute: Execute<S> },
): Tool & { execute: Execute<S> } {
  const description = readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8').trim();
  return {
    name,
    summary: firstLine(description),
    description,
    input,
    readOnly: true,
    execute,
    async run(args, context) {
      const text = await execute(parseInput(input, args), context);
      const { repo, index, issues } = context;
      const source = { repo, index, ...(issues && { citableIssues: citeFrom(issues) }) };
      const checked = truncateResult(await strikeUnresolvedCitations(text, source));
      return { text: checked, citations: parseCitations(checked.replace(/~~.*?~~/g, '')) };
    },
  };
}

function parseInput<S extends z.ZodObject>(input: S, args: unknown): z.output<S> {
  const parsed = input.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const fields = Object.fromEntries(
    parsed.error.issues.map((issue) => [issue.path.join('.') || 'input', toFieldMessage(issue)]),
  );
  const problems = Object.entries(fields).map(
    ([field, { key, params }]) => `${field}: ${formatMessage('en', `errors.${key}`, params)}`,
  );
  throw new AppError('invalid_input', 'tool_input_invalid', {
    params: { problems: problems.join('; ') },
    fields,
  });
}

/** Truncates at the end of a line and closes an open fence. */
function truncateResult(text: string): string {
  if (text.length <= MAX_RESULT_LENGTH) return text;
  const cut = text.slice(0, text.lastIndexOf('\n', MAX_RESULT_LENGTH - 200));
  const fences = cut.match(/^(`{3,})/gm) ?? [];
  const closing = fences.length % 2 === 1 ? `\n${fences.at(-1)}` : '';
  return `${cut}${closing}\n\n(Truncated: ask for less at a time.)`;
}

/** Schema of a text without NUL, of at most so many characters. */
export const textInput = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !text.includes('\0'), 'unstorable_characters');

export const pathInput = textInput(1000).describe('Path from the root of the repository, such as src/app.ts');
export const revisionInput = textInput(200).describe(
  'A commit hash, tag or branch; the indexed head when absent',
);
export const limitInput = (most: number, preset: number) =>
  z.int().min(1).max(most).default(preset).describe('How many at most');
export const lineInput = z.int().min(1).max(10_000_000);
