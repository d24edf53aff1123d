import type { Intent } from '../understand/reading.ts';
import { answerAttempts } from './attempts.ts';
import { answerCallers } from './callers.ts';
import { answerChanges } from './changes.ts';
import { answerCoChange } from './co-change.ts';
import { answerCommit } from './commit.ts';
import { answerConfiguration } from './configuration.ts';
import { answerDefinition } from './definition.ts';
import { answerDependencyUse } from './dependency-use.ts';
import { answerEarlierFixes } from './earlier-fixes.ts';
import { answerExplanation } from './explanation.ts';
import { answerFeatureFiles } from './feature-files.ts';
import { answerFixedInRange } from './fixed-in-range.ts';
import { answerHotspots } from './hotspot-files.ts';
import { answerHowTo } from './how-to.ts';
import type { AnswerIntent } from './intent.ts';
import { answerIntroduced } from './introduced.ts';
import { answerOverview } from './overview.ts';
import { answerRemoved } from './removed.ts';
import { answerSearch } from './search.ts';
import { answerTests } from './tests-of.ts';
import { answerWho } from './who.ts';
import { answerWhy } from './why.ts';

/** Function that answers each kind of question. */
export const ANSWER_BY_INTENT: Record<Intent, AnswerIntent> = {
  definition: answerDefinition,
  callers: answerCallers,
  explanation: answerExplanation,
  who: answerWho,
  introduced: answerIntroduced,
  removed: answerRemoved,
  why: answerWhy,
  commit: answerCommit,
  changes: answerChanges,
  fixed_in_range: answerFixedInRange,
  co_change: answerCoChange,
  hotspots: answerHotspots,
  earlier_fixes: answerEarlierFixes,
  attempts: answerAttempts,
  tests: answerTests,
  feature_files: answerFeatureFiles,
  dependency_use: answerDependencyUse,
  configuration: answerConfiguration,
  how_to: answerHowTo,
  overview: answerOverview,
  search: answerSearch,
};
