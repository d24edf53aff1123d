import { type QuestionToken, tokenizeQuestion } from '../understand/question-tokens.ts';
import type { Reading } from '../understand/reading.ts';
import { topicWords } from '../understand/topic-words.ts';
import historyWords from './history-words.json' with { type: 'json' };

const WORD = /[\p{L}\p{N}_$]+/gu;
const HISTORY_WORDS = new Set(Object.values(historyWords).flatMap((words) => words.split(' ')));
const QUOTED =
  /`([^`\n]{1,120})`|(?<![\p{L}\p{N}])'([^'\n]{3,80})'(?![\p{L}\p{N}])|"([^"\n]{2,120})"|“([^”\n]{2,120})”|«\s*([^»\n]{2,120}?)\s*»/gu;
/** Tokens that do not occur in prose: flags, `snake_case`, `camelCase`, `a.b`, `name()`, `:option`, `a-b`, `a/b`. */
const CODE_TOKEN =
  /--[a-z][\w-]*|(?<![\w/]):[a-z_]\w+|(?:[\w$@]+(?:\.|::|#|\/))+[\w$-]*[\w$]|\b\w*(?:[a-z\d][A-Z]|[A-Z]{2,}[a-z]|_)\w*\b|\b[A-Z]+[a-z]+[A-Z]\w*|\b[a-z_]\w*(?=\(\))|\b[a-z][a-z\d]*-[a-z][\w-]*\b/g;
/** Words joined by a hyphen in prose, which are a name only when the repository has them. */
const PROSE_COMPOUND = /^[a-z]+-[a-z]+$/;
/** Certainty of a mention that names the subject of a question. */
const MIN_NAMED_SCORE = 0.5;
const SENTENCE_END = /[.:?!,;/]+$/;

/** Text that a question quotes or writes as code. */
interface NamedText {
  text: string;
  /** False for words joined by a hyphen, which may be prose. */
  isCode: boolean;
}

/** The question without the words that only ask about the history; words of mentions and quotes are kept. */
export function historyTopic({ question, mentions }: Pick<Reading, 'question' | 'mentions'>): string {
  const kept = [
    ...mentions.filter(({ score }) => score >= 0.8).map(({ span }) => span),
    ...Array.from(question.matchAll(QUOTED), (match) => [match.index, match.index + match[0].length]),
  ];
  return question.replace(WORD, (word, at: number) => {
    const isKept = kept.some(([from, to]) => from! <= at && at < to!);
    return isKept || !HISTORY_WORDS.has(word.toLowerCase()) ? word : ' '.repeat(word.length);
  });
}

/**
 * The topic without sentences that only tell something, where the question itself names its subject; where it does not (`When did
 * that land?`), with the names of the others alone.
 */
export function focusedTopic(reading: Pick<Reading, 'question' | 'mentions'>): string {
  const { question, mentions } = reading;
  const topic = historyTopic(reading);
  const { tokens, isQuestion } = tokenizeQuestion(question);
  const last = tokens.at(-1)?.sentence ?? 0;
  if (last === 0 || !isQuestion.some(Boolean)) return topic;
  const asks = ({ sentence }: QuestionToken) => isQuestion[sentence] === true;
  const isNamed = ({ span: [from], kind }: QuestionToken) =>
    kind === 'code' ||
    mentions.some(({ span, score }) => score >= MIN_NAMED_SCORE && span[0] <= from && from < span[1]);
  const isProse = ({ span, kind }: QuestionToken) =>
    kind === 'word' && topicWords(topic.slice(...span)).some(({ weight }) => weight === 1);
  const own = tokens.filter(asks);
  const hasName = own.some(isNamed);
  if (!hasName && (own.filter(isProse).length > 1 || !tokens.some((token) => !asks(token) && isNamed(token))))
    return topic;
  return tokens
    .filter((token) => !asks(token) && (hasName || !isNamed(token)))
    .reduce(
      (text, { span: [from, to] }) => text.slice(0, from) + ' '.repeat(to - from) + text.slice(to),
      topic,
    );
}

/** Texts of the question that may occur literally in the code, in their order. */
export function namedTexts(question: string): NamedText[] {
  const found = new Map<string, NamedText>();
  const add = (raw: string, isCode: boolean) => {
    const text = raw.trim().replace(SENTENCE_END, '').replace(/\(\)$/, '');
    if (text.length >= 3 && !found.has(text)) found.set(text, { text, isCode });
  };
  for (const match of question.matchAll(QUOTED))
    add(match.slice(1).find((part) => part !== undefined)!, true);
  for (const [token] of question.matchAll(CODE_TOKEN)) add(token, !PROSE_COMPOUND.test(token));
  return [...found.values()];
}
