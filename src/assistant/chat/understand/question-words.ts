import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import stopWords from './stop-words.json' with { type: 'json' };
import { stopWordTest, type TopicWord, topicWords } from './topic-words.ts';

/** A word of a question, or a part of one that is written like code. */
export interface QuestionWord {
  topic: TopicWord;
  span: [number, number];
  /** Number of its token: those without meaning are counted, parts of one token share it. */
  position: number;
  /** Words of one run have nothing between them but space and hyphens. */
  run: number;
  /** True for words that mostly say what is asked, such as `defined` and `function`. */
  isOptional: boolean;
  /** True for kinds of code and files, such as `method`. */
  isNoun: boolean;
  /** True for the name of the project, which is in many paths. */
  isProject: boolean;
}

const TOKEN = /[\p{L}\p{N}_$]+/gu;
const wordSet = (text: string) => new Set(text.split(' '));
const OPTIONAL = wordSet(`${stopWords.cues} ${stopWords.subjects} ${stopWords.generic}`);
const OPTIONAL_TERMS = new Set([...OPTIONAL].flatMap((word) => cachedWordTerms(word).slice(0, 1)));

/** Words that announce a name of a kind, in four languages. */
export const CODE_NOUNS = wordSet(stopWords.codeNouns);
export const FOLDER_NOUNS = wordSet(stopWords.folderNouns);
export const FILE_NOUNS = wordSet(stopWords.fileNouns);

/** Splits a question into its words with meaning, in their order. */
export function questionWords(text: string, projects: ReadonlySet<string> = new Set()): QuestionWord[] {
  const words: QuestionWord[] = [];
  const isStop = stopWordTest(text);
  let [position, run, end] = [0, 0, 0];
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    if (/[^\s_-]/.test(text.slice(end, match.index))) run++;
    const span: [number, number] = [match.index, match.index + token.length];
    const lower = token.toLowerCase();
    const isNoun = isKindNoun(lower);
    for (const topic of topicWords(token, isStop)) {
      const isOptional = isNoun || OPTIONAL.has(lower) || OPTIONAL_TERMS.has(topic.variants[0]!.term);
      words.push({ topic, span, position, run, isOptional, isNoun, isProject: projects.has(lower) });
    }
    if (isStop(token)) run++;
    end = span[1];
    position++;
  }
  return words;
}

/** True when a word of the set stands right before or after a range of the text. */
export function hasNeighbor(text: string, [from, to]: [number, number], nouns: ReadonlySet<string>): boolean {
  const before = /([\p{L}]+)[\s`'"“«]*$/u.exec(text.slice(Math.max(0, from - 30), from))?.[1];
  const after = /^[`'"”»]*[\s-]+([\p{L}]+)/u.exec(text.slice(to, to + 30))?.[1];
  return [before, after].some((word) => word !== undefined && isOneOf(word, nouns));
}

/** True for nouns of code, folders and files, except for tests, which are part of many names. */
function isKindNoun(word: string): boolean {
  const nouns = [CODE_NOUNS, FOLDER_NOUNS, FILE_NOUNS];
  return (
    !/^(?:tests?|specs?|pruebas?|docs?|headers?|options?|extensions?)$/.test(word) &&
    nouns.some((set) => isOneOf(word, set))
  );
}

function isOneOf(word: string, nouns: ReadonlySet<string>): boolean {
  const lower = word.toLowerCase();
  return nouns.has(lower) || nouns.has(lower.replace(/s$/, ''));
}

/** True for a range inside a longer name, such as `contrib` of `my-contrib`, and `Cart` of `Cart.total`. */
export function isInsideToken(text: string, [from, to]: [number, number]): boolean {
  const before = text.slice(Math.max(0, from - 3), from);
  return (
    /[\p{Ll}\p{N}]-$|\w(?:[.#]|::|->)$/u.test(before) ||
    /^(?:-[\p{Ll}\p{N}]|(?:[.#]|::|->)\w)/u.test(text.slice(to, to + 3))
  );
}
