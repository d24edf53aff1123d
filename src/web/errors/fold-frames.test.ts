import { expect, test } from 'vitest';
import type { ErrorEventDetail, ErrorEventFrame } from '#contract/error-events.ts';
import { foldFrames } from './fold-frames.ts';
import { formatEventText } from './format-event-text.ts';

const frame = (path: string, in_app: boolean): ErrorEventFrame => ({
  ...{ path, line: 7, column: null, symbol: null, module: null, in_app, text: null },
  ...{ before: [], after: [], file: null, generated: null },
});

const shape = (frames: ErrorEventFrame[]) =>
  foldFrames(frames).map((group) => ('frame' in group ? group.frame.path : group.folded.length));

test('runs of frames of libraries are folded; single ones and the innermost of a foreign trace stay', () => {
  const [own, lib] = [(path: string) => frame(path, true), (path: string) => frame(path, false)];
  expect(shape([lib('a'), lib('b'), own('c'), lib('d'), own('e'), lib('f'), lib('g'), lib('h')])).toEqual([
    2,
    'c',
    'd',
    'e',
    3,
  ]);
  expect(shape(['a', 'b', 'c', 'd', 'e'].map(lib))).toEqual(['a', 'b', 'c', 2]);
  expect(shape([])).toEqual([]);
});

test('an event as text names its exceptions, causes and places in the project', () => {
  const exception = { type: 'KeyError', value: "'price'", handled: false, mechanism: null };
  const event = {
    title: 'KeyError',
    message: null,
    exceptions: [
      {
        ...exception,
        frames: [{ ...frame('shop/cart.py', true), symbol: 'total', file: 'src/shop/cart.py' }],
      },
      { ...exception, type: 'ValueError', value: null, frames: [{ ...frame('lib.py', false), column: 3 }] },
    ],
  } as unknown as ErrorEventDetail;
  expect(formatEventText(event)).toBe(
    "KeyError: 'price'\n    at total (src/shop/cart.py:7)\nCaused by: ValueError\n    at lib.py:7:3",
  );
  expect(formatEventText({ ...event, exceptions: [], message: 'Disk full' })).toBe('Disk full');
});
