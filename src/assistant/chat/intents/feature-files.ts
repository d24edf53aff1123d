import { findCoupled } from '#evolution/coupling.ts';
import { answerText, moreItem } from '../../answer/answer-text.ts';
import { citeFile } from '../../answer/citations.ts';
import { escapeMarkdown, inlineCode } from '../../answer/markdown.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { citePlace } from '../evidence/cite.ts';
import { matchPaths } from '../evidence/path-match.ts';
import { scopeOf } from '../evidence/scope.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicPlaces, type TopicPlace } from '../understand/topic-places.ts';
import {
  addFolder,
  addModules,
  type FeatureFile,
  fillFolders,
  isFeatureSource,
  MIN_SHARE,
} from './feature-folders.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_SOURCE = 14;
const MAX_OTHER = 6;
const MAX_PLACES = 40;
/** Share of commits in which a file changes with the best ones. */
const MIN_COUPLING = 0.3;
const MIN_TOGETHER = 3;
const PATH_WEIGHT = 0.65;

/** Lists the files that form a feature: by their paths, by the definitions in them, by common changes. */
export async function answerFeatureFiles(
  reading: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const { code } = context.index;
  if (!code) return null;
  const files = rankFiles(reading, context);
  const [best] = files;
  if (!best) return null;
  const bestSource = files.find(({ path }) => isFeatureSource(path))?.score ?? best.score;
  const chosen = files.filter(
    ({ path, score }) => score >= MIN_SHARE * (isFeatureSource(path) ? bestSource : best.score),
  );
  const source = chosen.filter(({ path }) => isFeatureSource(path));
  const others = chosen.filter(({ path }) => !isFeatureSource(path));
  if (source.length === 0) return null;
  const coupled = coupledFiles(source.slice(0, 4), new Set(chosen.map(({ path }) => path)), context);
  const topic = escapeMarkdown(topicOf(reading));
  const parts = [
    answerText(context, 'feature.source'),
    listFiles(source, MAX_SOURCE, context),
    ...(others.length > 0
      ? [answerText(context, 'feature.others'), listFiles(others, MAX_OTHER, context)]
      : []),
    ...(coupled.length > 0 ? [answerText(context, 'feature.coupled'), coupled.join('\n')] : []),
  ];
  const evidence = Math.min(1, best.score) * (source.length > 1 ? 1 : 0.8);
  return { text: parts.join('\n\n'), evidence, understood: { key: 'feature_files', params: { topic } } };
}

function topicOf({ topic, question }: Reading): string {
  return (topic.trim() || question).slice(0, 80);
}

function rankFiles(reading: Reading, context: ToolContext): FeatureFile[] {
  const code = context.index.code!;
  const scope = scopeOf(reading.mentions, reading.question);
  const byPath = new Map<string, FeatureFile>();
  const raise = (path: string, score: number, place: TopicPlace | null) => {
    const known = byPath.get(path) ?? { path, score: 0, place: null };
    byPath.set(path, { path, score: known.score + score, place: known.place ?? place });
  };
  const paths = matchPaths(reading.question, code);
  for (const { path, coverage, nameFit } of paths) {
    raise(path, PATH_WEIGHT * coverage * (0.75 + 0.25 * nameFit), null);
  }
  const places = findTopicPlaces(reading.question, context, { limit: MAX_PLACES });
  const seen = new Set<string>();
  for (const place of places) {
    if (seen.has(place.path)) continue;
    seen.add(place.path);
    raise(
      place.path,
      (1 - PATH_WEIGHT) * (place.score / places[0]!.score),
      place.symbol === null ? null : place,
    );
  }
  const files = [...byPath.values()].map((file) => ({
    ...file,
    score: scope.has(file.path) ? file.score + (scope.paths.length > 0 ? 0.2 : 0) : 0.6 * file.score,
  }));
  addFolder(reading, files, code);
  fillFolders(files, paths, code);
  addModules(reading.question, files, code);
  return files.toSorted((a, b) => b.score - a.score || a.path.localeCompare(b.path));
}

function listFiles(files: readonly FeatureFile[], max: number, context: ToolContext): string {
  const items = files.slice(0, max).map(({ path, place }) => {
    const code = context.index.code!;
    const file = code.fileNumber(path);
    const cited = citePlace(path, 1, Math.max(1, code.fileLines(file)), context);
    return place?.symbol
      ? `- ${answerText(context, 'feature.item', { place: cited, symbol: inlineCode(place.symbol) })}`
      : `- ${cited}`;
  });
  return [...items, ...moreItem(context, files.length - items.length)].join('\n');
}

/** Further source files that change together with the best ones. */
function coupledFiles(
  best: readonly FeatureFile[],
  known: ReadonlySet<string>,
  context: ToolContext,
): string[] {
  const { index } = context;
  const items = new Map<string, string>();
  for (const { path } of best) {
    const { of, coupled } = findCoupled(index, path, commitsTouching(path, context), 12);
    for (const other of coupled) {
      if (known.has(other.path) || items.has(other.path) || !isFeatureSource(other.path)) continue;
      if (other.together < MIN_TOGETHER || other.together < MIN_COUPLING * of) continue;
      const together = answerText(context, 'commits', { count: other.together });
      items.set(
        other.path,
        `- ${answerText(context, 'feature.together', { path: citeFile(other.path, index), together, with: inlineCode(path) })}`,
      );
    }
  }
  return [...items.values()].slice(0, 4);
}
