import { softmax } from '#investigate/locate/softmax.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Reading } from '../understand/reading.ts';
import { cacheOfAnswer } from './cache-of-answer.ts';
import { scopeOf } from './scope.ts';
import { collectTopicCandidates, type TopicCandidate } from './topic-candidates.ts';
import { measureTopicCandidates, type PlaceFeatures } from './topic-features.ts';
import weights from './topic-weights.json' with { type: 'json' };

/** A place about a topic with its share of the odds of all places. */
export interface RankedPlace extends TopicCandidate {
  share: number;
  features: PlaceFeatures;
}

const rankingOfAnswer = cacheOfAnswer<RankedPlace[]>();

/** Places of documents and code about a question, the best of each file, by weights that `bench/fit/topic-places.ts` fits. */
export function rankTopicPlaces(
  reading: Pick<Reading, 'question' | 'mentions'>,
  context: ToolContext,
): Promise<RankedPlace[]> {
  return rankingOfAnswer(context.sources, reading.question, () => rankPlaces(reading, context));
}

async function rankPlaces(
  { question, mentions }: Pick<Reading, 'question' | 'mentions'>,
  context: ToolContext,
): Promise<RankedPlace[]> {
  if (!context.index.code) return [];
  const found = await collectTopicCandidates(question, scopeOf(mentions, question), context);
  const features = measureTopicCandidates(question, found, context);
  const known: Readonly<Record<string, number>> = weights;
  const scores = features.map((one) =>
    Object.entries(one).reduce((sum, [name, value]) => sum + value * (known[name] ?? 0), 0),
  );
  const shares = softmax(scores);
  const ranked = found.candidates
    .map((candidate, i): RankedPlace => ({ ...candidate, share: shares[i]!, features: features[i]! }))
    .sort((a, b) => b.share - a.share || a.path.localeCompare(b.path) || a.from - b.from);
  return [...Map.groupBy(ranked, ({ path }) => path).values()].map(([first]) => first!);
}

/** Evidence of a ranking that separates right answers from wrong ones, each 0 to 1. */
interface RankingEvidence extends Record<string, number> {
  /** Share of the first place in the odds of all. */
  firstShare: number;
  /** Most of the question's information in one of the places that are shown. */
  covered: number;
  /** 1 where the lists of code have the same place first, less for lower places. */
  agreement: number;
  /** The best commit on the topic changed one of the shown files. */
  committed: number;
}

/** Measures the evidence of the places that an answer shows. */
export function measureRanking(shown: readonly RankedPlace[]): RankingEvidence {
  const most = (of: (place: RankedPlace) => number) => Math.max(0, ...shown.map(of));
  return {
    firstShare: shown[0]?.share ?? 0,
    covered: most(({ excerpt, features }) => excerpt?.score ?? features.coverAll!),
    agreement: most(({ features }) => Math.min(features.fusedRank!, features.placedRank!)),
    committed: most(({ features }) => features.commit!),
  };
}
