import { expect, test } from 'vitest';
import { createEventParser } from './event-stream.ts';

const STREAM =
  ':\n\nevent: step\ndata: {"step":"reading"}\n\nevent: text\ndata: {"text":"a\\n\\nb"}\n\n:\n\nevent: done\ndata: {}\n\n';
const EVENTS = [
  { name: 'step', data: '{"step":"reading"}' },
  { name: 'text', data: '{"text":"a\\n\\nb"}' },
  { name: 'done', data: '{}' },
];

test.each([1, 2, 3, 7, 1000])(
  'events are complete however the text is split, here into chunks of %i',
  (size) => {
    const read = createEventParser();
    const found = [];
    for (let at = 0; at < STREAM.length; at += size) found.push(...read(STREAM.slice(at, at + size)));
    expect(found).toEqual(EVENTS);
  },
);

test('an incomplete event is not returned', () => {
  expect(createEventParser()('event: done\ndata: {"id"')).toEqual([]);
});
