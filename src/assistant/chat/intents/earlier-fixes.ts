import { assessFixes } from '#evolution/fix-outcomes.ts';
import { isFixCommit } from '#evolution/fixes.ts';
import { answerText } from '../../answer/answer-text.ts';
import { escapeMarkdown, formatCommit, formatFixOutcome, inlineCode } from '../../answer/markdown.ts';
import { similarFixes } from '../../tools/similar-fixes.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { commitKind } from '../changes/commit-kind.ts';
import { rankByInformation } from '../changes/commit-relevance.ts';
import { historyTopic } from '../history/history-topic.ts';
import { findCodeRange } from '../understand/code-range.ts';
import type { Reading } from '../understand/reading.ts';
import type { IntentAnswer } from './intent.ts';

const MAX_FIXES = 10;
const MAX_CANDIDATES = 40;
const MAX_PATHS = 3;
const MIN_CERTAINTY = 0.25;
/** Fixes further below the best one are about something else. */
const MIN_SHARE_OF_BEST = 0.45;
/** A less certain mention does not restrict the fixes to its file. */
const MIN_MENTION_SCORE = 0.6;
const FIX_KINDS = new Set(['fixed', 'security']);
/** A change whose message does not say that it fixes something. */
const UNNAMED_FIX_FACTOR = 0.7;
/** Maintenance that prevents a failure, as in `chore: prevent a panic`. */
const PREVENTS = /\b(?:prevent\w*|avoid\w*|guard\w*|panics?|crash\w*|leak\w*)\b/i;
/** Words about fixing in general, which are in the subject of every fix. */
const ASKING =
  /\b(?:fix(?:e[sd]|es|ing)?|solv(?:ed?|es|ing)|repair(?:ed|s)?|correct(?:ed)?|past|prior|precedent\w*|previous\w*|earlier|before|deal(?:t|ing)?|handled?|problems?|bugs?|issues?|such|means|way|how|project|we|us|have|had|arregl\w*|solucion\w*|resol\w*|corrig\w*|corrección\w*|problem[ae]\w*|répar\w*|corrig\w*|behob\w*|gelöst\w*|lös\w*|fehler|probleme?n?)\b/giu;

/** Lists similar earlier fixes and how long they lasted. */
export async function answerEarlierFixes(
  reading: Reading,
  context: ToolContext,
): Promise<IntentAnswer | null> {
  const range = findCodeRange(
    reading.mentions.filter(({ score }) => score >= MIN_MENTION_SCORE),
    context,
  );
  const topic = extractFault(reading);
  const understood = { key: 'earlier_fixes', params: { topic: escapeMarkdown(topic) } } as const;
  const fixes = rankFixes(topic, context);
  const [first] = fixes;
  if (!first || first.certainty < MIN_CERTAINTY) {
    if (!range) return null;
    const text = await similarFixes.execute({ text: topic, path: range.path, limit: MAX_FIXES / 2 }, context);
    return { text, evidence: 0.45, understood };
  }
  const shown = fixes.filter(({ score }) => score >= first.score * MIN_SHARE_OF_BEST).slice(0, MAX_FIXES);
  const text = await listFixes(
    shown.map(({ commit }) => commit),
    context,
  );
  return { text, evidence: Math.min(0.95, 0.1 + first.certainty), understood };
}

function rankFixes(topic: string, context: ToolContext) {
  const { index } = context;
  const isFix = (commit: number) =>
    index.commits.parents(commit).length < 2 &&
    (isFixCommit(index, commit) ||
      commitKind(index, commit) !== 'maintenance' ||
      PREVENTS.test(index.commits.subject(commit)));
  return rankByInformation(topic, context, { accepts: isFix, limit: MAX_CANDIDATES })
    .map(({ score, ...ranked }) => {
      const isNamedFix = FIX_KINDS.has(commitKind(index, ranked.commit));
      return { ...ranked, score: isNamedFix ? score : score * UNNAMED_FIX_FACTOR };
    })
    .sort((a, b) => b.score - a.score);
}

async function listFixes(fixes: number[], context: ToolContext): Promise<string> {
  const { repo, index, now, signal } = context;
  const outcomes = await assessFixes({ repo, index, commits: fixes, now, signal });
  const items = fixes.map((commit, i) => {
    const paths = Array.from(index.commits.paths(commit), (path) => inlineCode(index.commits.path(path)));
    const more = paths.length - MAX_PATHS;
    const rest = more > 0 ? ` ${answerText(context, 'and_more', { count: more })}` : '';
    const params = {
      commit: formatCommit(index, commit),
      paths: `${paths.slice(0, MAX_PATHS).join(', ')}${rest}`,
      outcome: formatFixOutcome(outcomes[i]!, context),
    };
    return `- ${answerText(context, 'similar_fixes.item', params)}`;
  });
  return `${answerText(context, 'similar_fixes.title')}\n\n${items.join('\n')}`;
}

/** The question without the words that only ask; the whole question when nothing remains. */
function extractFault(reading: Reading): string {
  const fault = historyTopic(reading).replace(ASKING, ' ').replace(/\s+/g, ' ').trim();
  return /\p{L}{3}/u.test(fault) ? fault : reading.question;
}
