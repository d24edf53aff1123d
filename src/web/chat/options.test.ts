import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test.each([null, '', '{', '7', '{"use_chat_history":true}'])('both options are on for %j', (stored) => {
  expect(readOptions(stored)).toEqual({ use_chat_history: true, use_code_context: true });
});

test('a no is remembered', () => {
  expect(readOptions('{"use_code_context":false}')).toEqual({
    use_chat_history: true,
    use_code_context: false,
  });
});
