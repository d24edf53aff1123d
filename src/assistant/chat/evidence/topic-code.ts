import { rankFiles } from '#search/code/rank-files.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { findTopicPlaces } from '../understand/topic-places.ts';
import { isTestPath, TEST_WORDS, TRANSLATIONS } from './path-kinds.ts';
import { PROSE } from './topic-documents.ts';

/** The passage of a file that is most about a topic. */
interface TopicPassage {
  file: number;
  passage: number;
}

const MAX_PLACES = 30;
const MAX_FILES = 20;
/** Words of a question about the texts of the program, in four languages. */
const TRANSLATION_WORDS = /translat|locali[sz]|language|i18n|traduc|traduct|übersetz|sprache|idioma|langue/i;

/**
 * Files about a topic, each with its best passage, best first: by turns those that the code search ranks first, and those whose
 * definitions, comments and commits have its words. Tests and translations come last where the topic names none; documents
 * are left out, since their sections are quoted.
 */
export function findTopicCode(topic: string, limit: number, context: ToolContext): TopicPassage[] {
  const { index, queryEmbedding } = context;
  const code = index.code;
  if (!code) return [];
  const options = { limit: MAX_FILES, embedding: queryEmbedding ?? null };
  const searched = rankFiles(index, parseQuery(topic), options).map(({ file, passages }): TopicPassage => {
    return { file, passage: passages[0]?.passage ?? code.filePassages(file).first };
  });
  const placed = findTopicPlaces(topic, context, { limit: MAX_PLACES }).map(({ path, passage }) => {
    return { file: code.fileNumber(path), passage };
  });
  const isLast = ({ file }: TopicPassage) => {
    const path = code.filePath(file);
    const isTest = isTestPath(path) && !TEST_WORDS.test(topic);
    return isTest || (TRANSLATIONS.test(path) && !TRANSLATION_WORDS.test(topic));
  };
  const isProse = ({ file }: TopicPassage) => PROSE.test(code.filePath(file));
  const lists = [searched, placed].map((list) => list.filter((one) => one.file >= 0 && !isProse(one)));
  const found = takeTurns(lists).toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
  return [...Map.groupBy(found, ({ file }) => file).values()].map(([first]) => first!).slice(0, limit);
}

/** The first of each list, then the second of each, and so on. */
function takeTurns<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
