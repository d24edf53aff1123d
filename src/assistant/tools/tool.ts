import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { PastSession } from '#investigate/precedents/similar-sessions.ts';
import type { SourceText } from '#investigate/text/source-reader.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { type Citation, parseCitations, strikeUnresolvedCitations } from '../citations.ts';

/** What tools read: one project, as far as the caller may see it. `now` is in seconds since 1970. */
export interface ToolContext {
  /** Absolute path of the bare repository. */
  repo: string;
  memory: RepositoryIndex;
  sources: SourceText;
  /** The branches below `refs/heads` are the reader's own, as in a clone on their machine. */
  localBranches?: boolean;
  /** The folder of the changes of the whole history; null or absent where they are not read. */
  hunks?: string | null;
  /** What the question means to an embedding model, where there is one. */
  meaning?: QueryEmbedding | null;
  /** Earlier debug sessions of the project. */
  sessions?: PastSession[];
  now: number;
  signal?: AbortSignal;
}

/** What a tool found: markdown of at most `MAX_RESULT` characters, and what it cites, all of which resolves. */
export interface ToolResult {
  text: string;
  citations: Citation[];
}

/** A question that can be put to a repository, as plain data: for models, MCP clients, the command line, the router. */
export interface Tool {
  readonly name: string;
  /** One line, for lists. */
  readonly summary: string;
  /** For models: what it answers and when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly readOnly: true;
  /** Checks the input and runs. Throws AppError: `invalid_input` with the fields that are wrong. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>;
}

/** Characters of a result; a model that needs more asks for less at a time. */
export const MAX_RESULT_LENGTH = 16_000;

type Execute<S extends z.ZodObject> = (input: z.output<S>, context: ToolContext) => Promise<string>;

/**
 * Declares a tool. Its description is the file `<name>.md` beside it: the first line is the summary. `execute` writes
 * markdown for one who calls with checked input.
 */
export function defineTool<S extends z.ZodObject>(
  name: string,
  { input, execute }: { input: S; execute: Execute<S> },
): Tool & { execute: Execute<S> } {
  const description = readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8').trim();
  return {
    name,
    summary: description.split('\n', 1)[0]!,
    description,
    input,
    readOnly: true,
    execute,
    async run(given, context) {
      const text = await execute(parseInput(input, given), context);
      const checked = truncateResult(await strikeUnresolvedCitations(text, context));
      return { text: checked, citations: parseCitations(checked.replace(/~~.*?~~/g, '')) };
    },
  };
}

function parseInput<S extends z.ZodObject>(input: S, given: unknown): z.output<S> {
  const parsed = input.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const fields = Object.fromEntries(
    parsed.error.issues.map((issue) => [issue.path.join('.') || 'input', formatIssue(issue)]),
  );
  const words = Object.entries(fields).map(([field, message]) => `${field}: ${message}`);
  throw new AppError('invalid_input', `The tool cannot be used like this. ${words.join('; ')}.`, { fields });
}

/** What the library says of types is for programmers. */
function formatIssue({ code, message }: { code?: string; message: string }): string {
  if (code !== 'invalid_type') return message;
  if (/received undefined$/.test(message)) return 'is missing';
  const [, expected = 'something else'] = /expected (\w+)/.exec(message) ?? [];
  return expected === 'number' || expected === 'int' ? 'must be a number' : `must be a ${expected}`;
}

/** Cut at the end of a line, with its open fence closed. */
function truncateResult(text: string): string {
  if (text.length <= MAX_RESULT_LENGTH) return text;
  const cut = text.slice(0, text.lastIndexOf('\n', MAX_RESULT_LENGTH - 200));
  const fences = cut.match(/^(`{3,})/gm) ?? [];
  const closing = fences.length % 2 === 1 ? `\n${fences.at(-1)}` : '';
  return `${cut}${closing}\n\n(There is more; ask for less at a time.)`;
}

/** Text without NUL, of at most so many characters. */
export const textInput = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine((text) => !text.includes('\0'), 'must not hold NUL');

export const pathInput = textInput(1000).describe('Path from the root of the repository, such as src/app.ts');
export const revisionInput = textInput(200).describe(
  'A commit hash, tag or branch; the indexed head when absent',
);
export const limitInput = (most: number, preset: number) =>
  z.int().min(1).max(most).default(preset).describe('How many at most');
export const lineInput = z.int().min(1).max(10_000_000);
