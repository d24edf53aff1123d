import { expect, test } from 'vitest';
import { wordTerms } from '#memory/tokens.ts';
import { findPhrases } from './everyday-phrases.ts';
import everyday from './everyday-words.json' with { type: 'json' };
import { isStopWord, topicWords } from './topic-words.ts';

const termsOf = (topic: string) =>
  new Map(
    topicWords(topic).flatMap(({ word, variants }) => variants.map(({ term }) => [term, word] as const)),
  );

test.each([
  ['hops', 'redirect'],
  ['the connection hangs', 'timeout'],
  ['pictures of the profile', 'avatar'],
  ['nightly', 'cron'],
])('%j is related to the word %j of code', (topic, term) => {
  expect(termsOf(topic).has(term)).toBe(true);
  expect(topicWords(topic).flatMap(({ variants }) => variants)).toContainEqual({ term, strength: 0.45 });
});

test.each([
  ['when does it give up?', 'timeout', 'give up'],
  ['it gave up', 'retry', 'gave up'],
  ['how often is it read?', 'interval', 'how often'],
  ['can I turn the labels off?', 'disabl', 'turn off'],
  ['users who logged in', 'login', 'logged in'],
  ['are there too many at once?', 'concurrent', 'at once'],
])('a phrase of small words in %j is the word %j of code', (topic, term, phrase) => {
  expect(termsOf(topic).get(term)).toBe(phrase);
});

test('a phrase of words with meaning adds to its first one', () => {
  const [dark, mode] = topicWords('dark mode');
  expect(dark!.variants).toContainEqual({ term: 'schem', strength: 0.45 });
  expect(dark!.variants[0]).toEqual({ term: 'dark', strength: 1 });
  expect(mode!.word).toBe('mode');
});

test('the longest phrase wins, parts are at most two words apart, and phrases do not overlap', () => {
  const positions = (text: string) => findPhrases(text.split(' ')).map((phrase) => phrase.positions);
  expect(positions('many at the same time')).toEqual([[1, 2, 3, 4]]);
  expect(positions('turn it off')).toEqual([[0, 2]]);
  expect(positions('turn the second page off')).toEqual([]);
  expect(positions('turn dark mode off')).toEqual([
    [0, 3],
    [1, 2],
  ]);
});

test('each everyday word has one entry, and none is a stop word', () => {
  const words = Object.values(everyday.related).flatMap((group) =>
    Object.keys(group).flatMap((key) => key.split(' ')),
  );
  const terms = words.map((word) => wordTerms(word)[0]);
  expect(terms.filter((term, i) => terms.indexOf(term) !== i)).toEqual([]);
  expect(words.filter(isStopWord)).toEqual([]);
});
