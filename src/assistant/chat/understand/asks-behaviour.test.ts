import { expect, test } from 'vitest';
import { asksBehaviour } from './asks-behaviour.ts';

test.each([
  'When I delete a note, are its pictures deleted as well?',
  'How long do I stay signed in before I have to sign in again?',
  'What happens the first time I start it, and who becomes the administrator?',
  'How is a host marked as down when no answer arrives?',
  'How are pages cached for people who are not signed in?',
])('%j asks what the program does', (question) => {
  expect(asksBehaviour(question)).toBe(true);
});

test.each([
  'When was the export added?',
  'Who wrote the parser, and who knows it best?',
  'How did we fix the login before?',
  'How long has there been an API?',
  'What is the history of the importer?',
  'Since when is the cache limited?',
  'Quand les étiquettes sont-elles arrivées ?',
])('%j does not', (question) => {
  expect(asksBehaviour(question)).toBe(false);
});
