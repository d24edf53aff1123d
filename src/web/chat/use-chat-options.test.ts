import { expect, test } from 'vitest';
import { parseOptions } from './use-chat-options.ts';

test.each([null, '', '{', '7', '{"use_chat_history":true}'])(
  'both options default to true for %j',
  (stored) => {
    expect(parseOptions(stored)).toEqual({ use_chat_history: true, use_code_context: true });
  },
);

test('a stored false is read', () => {
  expect(parseOptions('{"use_code_context":false}')).toEqual({
    use_chat_history: true,
    use_code_context: false,
  });
});
