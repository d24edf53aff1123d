import { expect, test } from 'vitest';
import type { Trace } from '../trace/trace.ts';
import type { MessageOrigin } from './message-origin.ts';
import { isHint, printedMessages, withPrintedMessage } from './printed-messages.ts';

const text = `We run it every night:
$ shop export --to=disk
const cart = open('x.csv');
reading x.csv
shop: x.csv: row 3: the price must not be empty. See the manual
Use --help for more
exit status 1`;

test('lines that tell a failure come first, each also without its prefixes', () => {
  const messages = printedMessages(text.split('\n'));
  expect(messages[0]).toBe('shop: x.csv: row 3: the price must not be empty. See the manual');
  expect(messages).toContain('the price must not be empty. See the manual');
  expect(messages).toContain('shop: x.csv: row 3: the price must not be empty.');
  expect(messages.some((message) => /^\$|^exit/.test(message))).toBe(false);
});

test('dashes of an option are part of a message, those of a list are not', () => {
  expect(printedMessages(['--diff requires two arguments'])[0]).toBe('--diff requires two arguments');
  expect(printedMessages(['- the price must not be empty'])[0]).toBe('the price must not be empty');
});

test('what an option does is no message', () => {
  const help = ['a price is required', 'Usage: shop [-v] PRICE', '  -v, --verbose   Tell what is not sold.'];
  expect(printedMessages(help).some((message) => message.includes('--verbose'))).toBe(false);
});

test('a message with a line end is also read as a whole', () => {
  expect(printedMessages(['cannot parse the list [1,', '2]. It must have one line'])).toContain(
    'cannot parse the list [1, 2]. It must have one line',
  );
});

test('an endless text has few messages', () => {
  expect(printedMessages(Array(5_000).fill('error: a: b: cannot open it')).length).toBeLessThan(30);
});

test.each([
  ['Use --trace to show the backtrace', true],
  ['Run "shop --help" for usage information', true],
  ['Use of an empty price', false],
])('%s is a hint: %s', (line, expected) => {
  expect(isHint(line)).toBe(expected);
});

const origin = (message: string, share: number): MessageOrigin => ({
  ...{ file: 0, path: 'a.js', lines: [1, 1], quote: '' },
  ...{ message, share, letters: 20, words: 4 },
});
const trace = { language: null, errorType: null, message: '$ shop', frames: [], related: [], lines: [] };

test('the line that a literal words is the message of a text without a trace', () => {
  const origins = [origin('some words', 0.2), origin('the price must not be empty', 0.9)];
  expect(withPrintedMessage(trace, origins).message).toBe('the price must not be empty');
  expect(withPrintedMessage(trace, []).message).toBe('$ shop');
  const traced: Trace = { ...trace, language: 'go' };
  expect(withPrintedMessage(traced, origins).message).toBe('$ shop');
});
