import type { AnswerContext, EmitAnswerEvent, ModelAccess } from '#assistant/answer/answer-context.ts';
import type { EgressEntry } from '#contract/egress.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { loadUserLanguage } from '../identity/user-store.ts';
import { openCitableIssues } from '../project-data/issue-records.ts';
import { createCitableIndex } from './citable-index.ts';
import { recordEgress } from './egress-record.ts';
import { reserveModelBudget } from './model-budget.ts';
import { getModelForProject, loadProjectNotes } from './project-model.ts';

export interface AnswerContextOptions {
  project: { id: string; name: string };
  userId: string;
  index: RepositoryIndex;
  /** Another commit that the answer is about; null for that of the index. */
  revision: string | null;
  purpose: Extract<EgressEntry['purpose'], 'chat' | 'debug'>;
  signal: AbortSignal;
  emit: EmitAnswerEvent;
  /** Called when a call could not be written to the egress log. */
  onLogFailure(error: unknown): void;
}

/** Creates the context of one answer for a user of a project, after the access check. */
export async function createAnswerContext(
  deps: Deps,
  { project, userId, index, revision, purpose, onLogFailure, ...options }: AnswerContextOptions,
): Promise<AnswerContext> {
  const repo = await deps.projectFiles.repositories.open(project.id);
  const { signal } = options;
  const citable = await createCitableIndex(repo, index, { revision, signal });
  return {
    ...options,
    index: citable,
    citableIssues: await openCitableIssues(deps.db, project.id),
    project: project.name,
    repo,
    language: await loadUserLanguage(deps.db, userId),
    now: deps.now().getTime() / 1000,
    onCall: recordEgress(deps, { purpose, projectId: project.id, userId }, onLogFailure),
    loadNotes: () => loadProjectNotes(deps, { projectId: project.id, commit: citable.revision }),
    acquireModel: () => acquireModel(deps, { userId, projectId: project.id }),
  };
}

/** Reserves the model of a user for a project, or says why there is none. */
export async function acquireModel(
  deps: Deps,
  { userId, projectId }: { userId: string; projectId: string },
): Promise<ModelAccess> {
  const selected = await getModelForProject(deps, { userId, projectId });
  if (!selected) return { model: null, absence: { kind: 'not_configured' } };
  const { model, source, name, unusable } = selected;
  if (!model) {
    return { model: null, absence: { kind: 'not_usable', model: name, reason: unusable ?? 'not_allowed' } };
  }
  // Its owner pays for an own model.
  if (source !== 'server') return { model, onUsage: () => {}, release: async () => {} };
  const reserved = await reserveModelBudget(deps, { userId });
  if ('usedUp' in reserved) {
    return { model: null, absence: { kind: 'budget_exhausted', model: name, reason: reserved.usedUp } };
  }
  return { model, onUsage: reserved.onUsage, release: reserved.settle };
}
