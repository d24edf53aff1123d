import { expect, test } from 'vitest';
import { taskKindsOf } from './task-kinds.ts';

test.each([
  ['How do I set up the development environment?', ['develop']],
  ['How do I set it up?', ['develop']],
  ['Setup', ['develop']],
  ['Setup guide', ['develop']],
  ['How do I set up email reports?', []],
  ['how do i setup SMTP', []],
  ['How do I run the tests?', ['test']],
  ['How do I send a test email?', []],
  ['how to start it', ['run']],
] as const)('%j: %j', (question, names) => {
  expect(taskKindsOf(question).map(({ name }) => name)).toEqual(names);
});
