import type { FileRisks } from '#contract/analysis.ts';
import type { BacktestCase } from '#contract/backtest.ts';
import type { ChangeReview } from '#contract/change-check.ts';
import type { CodeAge, Coupling, Evolution } from '#contract/evolution.ts';
import type { Impact } from '#contract/impact.ts';
import { type JsonText, toJsonText } from '#contract/json-text.ts';
import type { PathMapping } from '#contract/project-settings.ts';
import { summarizeCodeAge } from '#evolution/code-age.ts';
import { readSurvey, surveyCodeAge } from '#evolution/code-age-survey.ts';
import { type EvolutionScope, measureCoupling, measureEvolution } from '#evolution/evolution-report.ts';
import { diffTexts } from '#evolution/text-diff.ts';
import { diffBetween } from '#git/diff.ts';
import { readFileAt } from '#git/file-at.ts';
import { replayFix, showReplay } from '#investigate/backtest/replay-fix.ts';
import type { PastFix } from '#investigate/backtest/select-fixes.ts';
import type { Calibration } from '#investigate/calibration.ts';
import type { PastSession } from '#investigate/fixes/similar-sessions.ts';
import { findFileRisks } from '#investigate/history/file-risks.ts';
import { reviewChange } from '#investigate/history/review-change.ts';
import type { ProjectMatch } from '#investigate/kind/match-project.ts';
import { scoreProject } from '#investigate/kind/score-project.ts';
import type { ErrorReport } from '#investigate/locate/error-report.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import type { Language } from '#locales/languages.ts';
import { openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import { attachIndex } from '#memory/index/attached-indexes.ts';
import { indexRevision, type RevisionOptions } from '#memory/index/index-revision.ts';
import { snapshotAt } from '#memory/index/superset.ts';
import type { RepositoryIndex, SharedIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { estimateSuspects } from '#proof/suspect-probabilities.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import {
  type HistorySearchResult,
  type SearchHistoryOptions,
  searchHistory,
} from '#search/changes/search-history.ts';
import { searchCodeAndCommits } from '#search/code/search-code.ts';
import type { ValueCount } from '#search/projects/list-values.ts';
import type { IssueRecord } from './answer/issue-record.ts';
import { answerQuestion, type ChatQuestion, type QuestionAnswer } from './chat/answer-question.ts';
import { answerError, type ErrorAnswer } from './debug/answer-error.ts';
import {
  type ListValuesInput,
  listSharedValues,
  type ProjectSearchInput,
  type ProjectSearchResult,
  searchSharedProjects,
} from './project-search.ts';
import { findImpact, type ImpactSubject } from './tools/find-impact.ts';
import { requireTool } from './tools/registry.ts';
import type { ToolResult } from './tools/tool.ts';

/** The repository and its index, which threads share and do not copy. */
interface RepositoryInput {
  repo: string;
  shared: SharedIndex;
  /** Embedding of the query; absent or null without an embedding model. */
  queryEmbedding?: QueryEmbedding | null;
}

interface RevisionInput extends RepositoryInput {
  /** Another revision (a full hash) to answer at; null for the indexed one. */
  at?: { revision: string; limits: RevisionOptions['limits'] } | null;
}

interface AnswerErrorInput extends RevisionInput {
  /** Folder of the change index; without it, changes are read from git. */
  hunks?: string;
  request: ErrorReport;
  sessions: PastSession[];
  /** Imported issues that may report the error. */
  issues?: IssueRecord[] | undefined;
  /** Deployed folders by the project's settings. */
  pathMappings?: readonly PathMapping[];
  /** Full hash of a commit before which nothing is suspected. */
  suspectsSince?: string | null;
  /** Calibration of confidence for this repository. */
  calibration?: Calibration;
  language: Language;
  /** ISO 8601. */
  now: string;
}

interface EstimateSuspectsInput
  extends Omit<AnswerErrorInput, 'language' | 'calibration' | 'sessions' | 'issues'> {}

interface ScoreProjectInput extends Omit<RepositoryInput, 'queryEmbedding'> {
  request: ErrorReport;
  /** Deployed folders by the project's settings. */
  pathMappings?: readonly PathMapping[];
}

interface SearchCodeInput extends RevisionInput {
  q: string;
  limit: number;
}

interface SearchHistoryInput
  extends RepositoryInput,
    Omit<SearchHistoryOptions, 'repo' | 'index' | 'signal'> {}

interface AnswerQuestionInput extends RevisionInput {
  /** Folder of the change index, or null. */
  hunks: string | null;
  question: ChatQuestion;
  /** False: the answer uses the history and no code. */
  useCode: boolean;
  /** True to collect the context for a model. */
  forModel: boolean;
  /** Imported issues that the question may mean. */
  issues?: IssueRecord[] | undefined;
  language: Language;
  /** ISO 8601. */
  now: string;
}

interface RunToolInput extends RevisionInput {
  name: string;
  input: unknown;
  /** Folder of the change index, or null. */
  hunks: string | null;
  sessions: PastSession[];
  issues?: IssueRecord[] | undefined;
  /** ISO 8601. */
  now: string;
}

interface ReplayFixInput extends RepositoryInput {
  /** Folder of the change index; without it, changes are read from git. */
  hunks?: string;
  fix: PastFix;
}

interface ShowReplayInput extends ReplayFixInput {
  limits: RevisionOptions['limits'];
}

interface EvolutionInput extends Pick<RepositoryInput, 'repo' | 'shared'> {
  scope: EvolutionScope;
}

interface FileRisksInput extends Pick<RepositoryInput, 'repo' | 'shared'> {
  /** Folder of the change index. */
  hunks: string;
  path: string;
  /** Text of the file in the version that is edited. */
  lines: string[];
  /** Paths that have changed on the branch. */
  changed: string[];
}

interface ReviewChangeInput extends Pick<RepositoryInput, 'repo' | 'shared'> {
  /** Commit before the change. */
  before: string;
  /** Commit after it; null for texts that are not saved yet. */
  after: string | null;
  texts: { path: string; content: string | null }[];
  /** Names and emails of the reader. */
  self: string[];
  /** Seconds since 1970. */
  now: number;
}

interface FindImpactInput extends Pick<RepositoryInput, 'repo' | 'shared'> {
  subject: ImpactSubject;
}

interface CodeAgeInput {
  shared: SharedIndex;
  /** Path of the survey on disk. */
  survey: string;
  /** Folder or file; empty for the whole project. */
  path: string;
}

interface SurveyInput extends Pick<RepositoryInput, 'repo' | 'shared'> {
  /** Folder of the change index. */
  hunks: string;
  /** Path of the survey on disk. */
  survey: string;
}

/** Tasks that the pool runs in its worker threads, by name. */
export const tasks = {
  /** Answers an error without a model. */
  async answerError({ request, ...task }: AnswerErrorInput, signal: AbortSignal): Promise<ErrorAnswer> {
    const { repo, queryEmbedding: embedding, sessions, calibration, language, now } = task;
    const { pathMappings, suspectsSince } = task;
    const index = await openIndex(task, signal);
    const newest = task.at ? attachIndex(task.shared) : null;
    const hunks = openChangeIndexIfUsable(task.hunks);
    const { issues } = task;
    const deps = {
      ...{ repo, hunks, embedding, sessions, issues, pathMappings, suspectsSince },
      ...{ calibration, now, index, newest, signal },
    };
    return await answerError(request, deps, language);
  },

  /** Estimates for every commit how probable it is that it introduced an error, by full hash: the unfiltered ranking. */
  async estimateSuspects(
    { request, ...task }: EstimateSuspectsInput,
    signal: AbortSignal,
  ): Promise<Map<string, number>> {
    const { repo, queryEmbedding: embedding, now, pathMappings, suspectsSince } = task;
    const index = await openIndex(task, signal);
    const hunks = openChangeIndexIfUsable(task.hunks);
    const options = { pathMappings, suspectsSince, now, signal };
    return await estimateSuspects(request, { repo, hunks, embedding, index, sessions: [], ...options });
  },

  /** Measures how well an error matches a repository. */
  async scoreProject(
    { repo, shared, request, pathMappings }: ScoreProjectInput,
    signal: AbortSignal,
  ): Promise<ProjectMatch> {
    return await scoreProject(request, { repo, index: attachIndex(shared), pathMappings, signal });
  },

  /** Ranks passages and commits. Serialized, since a text is cloned for another thread in less time than what it describes. */
  async searchCode(
    { q, limit, ...task }: SearchCodeInput,
    signal: AbortSignal,
  ): Promise<JsonText<CodeSearchResult>> {
    const index = await openIndex(task, signal);
    const { repo, queryEmbedding: embedding } = task;
    return toJsonText(await searchCodeAndCommits({ repo, index, q, limit, embedding, signal }));
  },

  /** Searches code, symbols, files, commits or changes of several projects. */
  async searchProjects(task: ProjectSearchInput, signal: AbortSignal): Promise<ProjectSearchResult> {
    return await searchSharedProjects(task, signal);
  },

  /** Lists values of a search filter in several projects. */
  async listSearchValues(task: ListValuesInput): Promise<ValueCount[]> {
    return listSharedValues(task);
  },

  /** Searches the changes of the whole history. Throws `index_rebuilding` when the change index is unusable. */
  async searchHistory(
    { shared, ...task }: SearchHistoryInput,
    signal: AbortSignal,
  ): Promise<HistorySearchResult> {
    return await searchHistory({ ...task, index: attachIndex(shared), signal });
  },

  /** Answers a chat question without a model, and collects the context for one where asked to. */
  async answerQuestion(task: AnswerQuestionInput, signal: AbortSignal): Promise<QuestionAnswer> {
    const { repo, hunks, at, queryEmbedding, question, useCode, forModel, language, now, issues } = task;
    const shared = useCode ? task.shared : { ...task.shared, code: null };
    const index = await openIndex({ repo, shared, at }, signal);
    // Changes contain code.
    const changes = useCode ? hunks : null;
    return await answerQuestion(question, {
      repo,
      hunks: changes,
      index,
      queryEmbedding,
      forModel,
      language,
      now,
      signal,
      ...(issues && { issues }),
    });
  },

  /** Runs a tool. Throws `invalid_input` for arguments that do not match its schema. */
  async runTool(
    { shared, at, now, name, input, ...task }: RunToolInput,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const index = await openIndex({ repo: task.repo, shared, at }, signal);
    const sources = openSourceReader(task.repo, index, signal);
    try {
      const { issues, ...rest } = task;
      const context = {
        ...rest,
        ...(issues && { issues }),
        index,
        sources,
        now: Date.parse(now) / 1000,
        signal,
      };
      return await requireTool(name).run(input, context);
    } finally {
      sources.close();
    }
  },

  /** Measures activity, hotspots, knowledge, fixes and risk. */
  async measureEvolution({ repo, shared, scope }: EvolutionInput, signal: AbortSignal): Promise<Evolution> {
    return await measureEvolution({ repo, index: attachIndex(shared), signal }, scope);
  },

  /** Finds files that change together. */
  async measureCoupling({ repo, shared, scope }: EvolutionInput, signal: AbortSignal): Promise<Coupling> {
    return await measureCoupling({ repo, index: attachIndex(shared), signal }, scope);
  },

  /** Finds what the history says about changing a file. */
  async findFileRisks({ shared, ...input }: FileRisksInput, signal: AbortSignal): Promise<FileRisks> {
    return await findFileRisks({ ...input, index: attachIndex(shared), signal });
  },

  /** Compares a change that is not saved or pushed yet with the history. */
  async reviewChange(
    { repo, shared, before, after, texts, ...input }: ReviewChangeInput,
    signal: AbortSignal,
  ): Promise<ChangeReview> {
    const options = { context: 0, ignoreWhitespace: true, signal };
    const files =
      after === null
        ? await Promise.all(
            texts.map(async ({ path, content }) =>
              diffTexts(path, await readFileAt(repo, before, path), content),
            ),
          )
        : await diffBetween(repo, before, after, options);
    return await reviewChange({ ...input, repo, before, files, index: attachIndex(shared), signal });
  },

  /** Finds what a change of a symbol, a file or a branch may affect. */
  async findImpact({ repo, shared, subject }: FindImpactInput, signal: AbortSignal): Promise<Impact> {
    return await findImpact(subject, { repo, index: attachIndex(shared), signal });
  },

  /** Summarizes what is known of the age of the code. */
  async readCodeAge({ shared, survey, path }: CodeAgeInput): Promise<CodeAge> {
    return summarizeCodeAge(await readSurvey(survey), attachIndex(shared), path);
  },

  /** Measures the age of the code for some seconds; returns what is left to do. */
  async surveyCodeAge(
    { repo, shared, hunks, survey }: SurveyInput,
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<typeof surveyCodeAge>>> {
    return await surveyCodeAge({ repo, index: attachIndex(shared), hunks, path: survey, signal });
  },

  /** Replays one past fix for a reader, on an index of its parent that is made for it. */
  async showReplay({ repo, shared, fix, hunks, limits }: ShowReplayInput, signal: AbortSignal) {
    const base = attachIndex(shared);
    const fixedBy = base.commits.author(base.commits.find(fix.oid));
    const index = await indexRevision(repo, base, fix.parent, { limits, signal });
    return await showReplay(fix, { repo, hunks: openChangeIndexIfUsable(hunks), index, fixedBy, signal });
  },

  /** Replays a past fix at its parent commit. */
  async replayFix({ repo, shared, fix, hunks }: ReplayFixInput, signal: AbortSignal): Promise<BacktestCase> {
    const index = await snapshotAt(repo, attachIndex(shared), fix.parent, { signal });
    return await replayFix(fix, { repo, hunks: openChangeIndexIfUsable(hunks), index, signal });
  },
};

/** Passages and commits that match a query. */
type CodeSearchResult = Awaited<ReturnType<typeof searchCodeAndCommits>>;

type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export type TaskInput<N extends TaskName> = Parameters<Tasks[N]>[0];
export type TaskOutput<N extends TaskName> = Awaited<ReturnType<Tasks[N]>>;

async function openIndex({ repo, shared, at }: RevisionInput, signal: AbortSignal): Promise<RepositoryIndex> {
  const index = attachIndex(shared);
  if (!at) return index;
  const found = await indexRevision(repo, index, at.revision, { limits: at.limits, signal });
  await yieldIfDue(signal);
  return found;
}
