import type { Mention } from './entities.ts';
import { tokenizeQuestion } from './question-tokens.ts';

/** A token, or the kind of the mention that it is part of. */
interface Part {
  text: string;
  sentence: number;
}

const START = '^';
const END = '$';
const PROJECT = '<project>';
/** A less certain mention keeps its words. */
const MIN_CERTAIN_SCORE = 0.75;
/** Strength of a sentence that only tells something, beside one that asks. */
const STATEMENT_STRENGTH = 0.5;

/**
 * Words, pairs and pairs with a gap of a question, with their strengths. Names are replaced by their kinds, so that
 * `where is <symbol>` is the same in every repository.
 */
export function questionFeatures(
  text: string,
  mentions: readonly Mention[],
  projects: ReadonlySet<string>,
): Map<string, number> {
  const { tokens, isQuestion } = tokenizeQuestion(text);
  const asks = isQuestion.some(Boolean);
  const certain = mentions.filter(({ score }) => score >= MIN_CERTAIN_SCORE);
  const parts: Part[] = [];
  let last: Mention | undefined;
  for (const { text: token, kind, span, sentence } of tokens) {
    if (parts.at(-1)?.sentence !== sentence) parts.push(...endOf(parts), { text: START, sentence });
    const mention = certain.find(({ span: [from, to] }) => from <= span[0] && span[1] <= to);
    if (mention && mention === last) continue;
    last = mention;
    const own = projects.has(token) ? PROJECT : kind === 'word' ? token : `<${kind}>`;
    parts.push({ text: mention ? `<${kindOf(mention)}>` : own, sentence });
  }
  parts.push(...endOf(parts));
  const found = new Map<string, number>();
  parts.forEach((part, at) => {
    const strength = asks && !isQuestion[part.sentence] ? STATEMENT_STRENGTH : 1;
    for (const feature of featuresAt(parts, at))
      found.set(feature, Math.max(strength, found.get(feature) ?? 0));
  });
  return found;
}

function endOf(parts: readonly Part[]): Part[] {
  const last = parts.at(-1);
  return last ? [{ text: END, sentence: last.sentence }] : [];
}

function featuresAt(parts: readonly Part[], at: number): string[] {
  const [part, next, second] = [parts[at]!, parts[at + 1], parts[at + 2]];
  const isWord = part.text !== START && part.text !== END;
  return [
    ...(isWord ? [part.text] : []),
    ...(next?.sentence === part.sentence ? [`${part.text} ${next.text}`] : []),
    ...(isWord && second?.sentence === part.sentence ? [`${part.text} … ${second.text}`] : []),
  ];
}

/** Kind of a mention; a range of dates is a period. */
export function kindOf({ entity }: Mention): Mention['entity']['kind'] | 'period' {
  const isPeriod = entity.kind === 'range' && entity.from.oid === null && entity.to.oid === null;
  return isPeriod ? 'period' : entity.kind;
}
