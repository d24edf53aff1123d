import { expect, test } from 'vitest';
import { compilePhrase, matchPattern } from './cue-patterns.ts';
import { tokenizeQuestion } from './question-tokens.ts';

const CLASSES = { add: ['add*', 'came in', 'brought … in'] };
const matches = (phrase: string, text: string) =>
  matchPattern(compilePhrase(phrase, CLASSES), tokenizeQuestion(text).tokens);

test.each([
  ['which|what commit', 'and what commit was it', [1, 2]],
  ['introduc*', 'who introduced it', [1]],
  ['when … <add>', 'when was the cache added?', [0, 4]],
  ['when … <add>', 'when was the cache brought in', [0, 4, 5]],
  ['<code> and', 'where is `a.b` and its caller', [2, 3]],
  ['^ why', 'It broke. Why?', [2]],
  ['année', 'ANNEE', [0]],
] as const)('%j matches %j', (phrase, text, tokens) => {
  expect(matches(phrase, text)).toEqual([...tokens]);
});

test.each([
  ['^ why', 'tell me why'],
  ['which commit', 'which big commit'],
  ['when … <add>', 'When? The cache was added.'],
  ['when … commit', 'when one two three four five six seven eight nine commit'],
  ['introduc', 'introduced'],
  ['<version>', 'version two'],
])('%j does not match %j', (phrase, text) => {
  expect(matches(phrase, text)).toBeNull();
});
