import { expect, test } from 'vitest';
import { asksOutside } from './outside-cues.ts';

test.each([
  'Is it nicer to work with than the other one?',
  'How many companies use this in production?',
  'What features are planned for next year?',
  '¿Cuántos usuarios tiene?',
  'Quelle est la feuille de route ?',
  'Lohnt es sich, darauf umzusteigen?',
])('opinions, plans and numbers of users are outside: %s', (question) => {
  expect(asksOutside(question)).toBe(true);
});

test.each([
  'I plan to change buildPath. Which files call it?',
  'Why is a list better than a map in parse()?',
  'How many retries are there by default?',
  'What should I use it for?',
  'Welche Dateien ändern sich am häufigsten?',
])('code and history are not: %s', (question) => {
  expect(asksOutside(question)).toBe(false);
});
