import { answerText } from '../../answer/answer-text.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findChangelogSection, quoteSection } from '../changes/changelog.ts';
import { type CommitKind, commitKind, isVersionCommit } from '../changes/commit-kind.ts';
import { listByKind, listItems } from '../changes/commit-list.ts';
import { formatEnd, selectCommits } from '../changes/selected-commits.ts';
import { historyTopic } from '../history/history-topic.ts';
import type { Reading } from '../understand/reading.ts';
import { findTopicCommits } from '../understand/topic-commits.ts';
import type { IntentAnswer } from './intent.ts';

/** Words for each kind of change, in four languages, without accents. */
const KIND_WORDS: [CommitKind, RegExp][] = [
  ['security', /\bsecur|\bvulnerab|\bcve\b|\bghsa\b|\bsegurid|\bsicherheit|\bsecurit|\bfaille/],
  [
    'fixed',
    /\bfix|\bbug|\bcorrect|\brepair|\bpatch|\barregl|\bcorreg|\bcorrig|\bfallo|\bbeh[oe]b|\bfehler|\bkorri|\bsolv|\bresolv/,
  ],
  [
    'added',
    /\bfeat|\badd(?:s|ed|ition)?|\bnew\b|\bnovel|\bnuev|\bnoved|\bnouve|\bajout|\banad|\bagreg|\bneu(?:e[srn]?|heit)?\b|\bhinzu|\bfunktion|\bfoncti|\bfunci/,
  ],
  ['removed', /\bremov|\bdrop|\bdeprecat|\belimin|\bquit|\bsupprim|\bretir|\bentfern|\bbreaking/],
];
const MIN_TOPIC_SCORE = 0.55;
const MAX_TOPIC_COMMITS = 6;
/** Words of the question itself, which are in the subject of every fix. */
const ASKING =
  /\b(?:fix(?:e[sd])?|bugs?|features?|feats?|additions?|new|security|corrections?|releases?|versions?|behaviou?r|corregid\w*|arregl\w*|nuev\w*|corrig\w*|nouveaut\w*|fonctionnalit\w*|behoben\w*|neue\w*|funktion\w*|fehler\w*)\b/giu;

/** Lists the fixes, additions or removals between two points of the history. */
export async function answerFixedInRange(
  reading: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const selected = await selectCommits(reading, context);
  const from = formatEnd(selected.from);
  const to = formatEnd(selected.to);
  if (selected.from === null) return null;
  const kinds = kindsOf(reading.question);
  const wanted = selected.commits.filter((commit) => kinds.includes(commitKind(context.index, commit)));
  const onTopic = rankByTopic(reading, selected.commits, context);
  const others = wanted.filter((commit) => !onTopic.includes(commit));
  if (onTopic.length + others.length === 0) return null;
  const section = selected.to?.oid ? await findChangelogSection(selected.to.label, context) : null;
  const isOpen = to === null || selected.to?.oid === context.index.revision;
  const params = {
    name: selected.name,
    from: from ?? '',
    to: to ?? '',
    since: from ?? '',
    count: wanted.length,
  };
  const verb = kinds.includes('added') && !kinds.includes('fixed') ? 'added' : 'fixed';
  const parts = [
    answerText(context, isOpen ? 'changes.kinds_since' : 'changes.kinds_between', params),
    onTopic.length > 0 ? listItems(onTopic, onTopic.length, context).join('\n') : '',
    others.length > 0 ? listByKind(others, context) : '',
    section ? quoteSection(section, context) : '',
  ];
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    evidence: onTopic.length > 0 ? 0.95 : 0.9,
    understood: { key: isOpen ? `${verb}_since` : `${verb}_between`, params },
  };
}

/** Kinds of changes that a question names; fixes and additions when it names none. */
function kindsOf(question: string): CommitKind[] {
  const plain = question.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const named = KIND_WORDS.filter(([, words]) => words.test(plain)).map(([kind]) => kind);
  if (named.length === 0) return ['security', 'fixed', 'added'];
  return named.includes('fixed') ? ['security', ...named] : named;
}

function rankByTopic(reading: Reading, commits: readonly number[], context: ToolContext): number[] {
  const topic = historyTopic(reading).replace(ASKING, ' ');
  const inRange = new Set(commits.filter((commit) => !isVersionCommit(context.index, commit)));
  return findTopicCommits(topic, context, {
    accepts: (commit) => inRange.has(commit),
    limit: MAX_TOPIC_COMMITS,
  })
    .filter(({ score }) => score >= MIN_TOPIC_SCORE)
    .map(({ commit }) => commit);
}
