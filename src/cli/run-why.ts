import { AppError } from '#contract/errors.ts';
import { usageError } from './arguments.ts';
import type { QuerySource } from './local.ts';
import { findCheckout } from './local-repository.ts';
import { PACKAGE_VERSION } from './package-version.ts';
import type { CommandRun, ExitCode } from './run.ts';
import { formatMarkdown } from './why/format-markdown.ts';
import { postComment, type ReviewTarget } from './why/post-comment.ts';
import { readJunitFailures, readLogFailures } from './why/read-failures.ts';
import { explainFailures, formatReport, parseFormat, type WhyFormat } from './why/why.ts';

/** Options of `hindsight why`. */
export const WHY_OPTIONS = ['junit', 'base', 'format', 'comment', 'limit'];

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

/** Runs `hindsight why`: explains the failures of a log or of JUnit reports. */
export async function runWhy(
  run: CommandRun,
  openSource: (run: CommandRun) => Promise<QuerySource>,
): Promise<ExitCode> {
  const { terminal, config, options } = run;
  const format = readFormat(run);
  const target = options.has('comment') ? readTarget(run) : null;
  const limit = Number(options.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) throw usageError('usage_limit');
  const { signal } = terminal;
  const typed = options.get('base');
  const report = await explainFailures(
    {
      list: await readFailures(run),
      limit: Math.min(limit, MAX_LIMIT),
      base: typeof typed === 'string' ? typed : config.ci.base,
      isExplicitBase: typeof typed === 'string',
      checkout: findCheckout(String(options.get('repo') ?? '.')),
      signal,
    },
    () => openSource(run),
  );
  terminal.print(formatReport(report, format, PACKAGE_VERSION));
  if (target) terminal.tell(`Commented: ${await postComment(target, formatMarkdown(report), signal)}`);
  return report.abstained ? 1 : 0;
}

function readFormat({ options }: CommandRun): WhyFormat {
  const value = options.get('format');
  if (value === undefined) return options.has('json') ? 'json' : 'text';
  return parseFormat(String(value));
}

/** Reads the reports of `--junit` (further words are files too), else the words, else the piped log. */
async function readFailures({ words, lists, options, terminal }: CommandRun) {
  const reports = lists.get('junit');
  if (reports) return await readJunitFailures([...reports, ...words], terminal.signal);
  const log = words.length > 0 ? words.join(' ') : await terminal.input();
  if (!log?.trim()) {
    // A base alone asks for the fixes that the branch removes.
    if (options.has('base')) return { failures: [], total: 0 };
    throw usageError('usage_no_log');
  }
  return readLogFailures(log);
}

function readTarget({ config }: CommandRun): ReviewTarget {
  const { review } = config.ci;
  if (!review) throw new AppError('invalid_input', 'usage_comment_no_review');
  const { token } = review;
  if (token === null)
    throw new AppError('invalid_input', 'usage_comment_no_credential', {
      params: { github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN' },
    });
  return { ...review, token };
}
