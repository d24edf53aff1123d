import { expect, test } from 'vitest';
import { parseTrace } from '#investigate/trace/read-trace.ts';
import { parseErrorEvent } from './error-event.ts';

const event = (platform: string, type: string) => ({
  data: {
    error: {
      platform,
      release: 'api@1.2.3',
      exception: {
        values: [
          { type: 'KeyError', value: 'inner' },
          {
            type,
            value: 'boom',
            stacktrace: {
              frames: [
                { filename: 'app/main.py', function: 'run', lineno: 3, context_line: '  run_all()' },
                { filename: 'app/jobs.py', function: 'run_all', lineno: 40 },
              ],
            },
          },
        ],
      },
    },
  },
});

test.each([
  ['python', 'ValueError'],
  ['node', 'TypeError'],
])('a trace of %s is formatted like in that language and can be parsed', (platform, type) => {
  const error = parseErrorEvent(event(platform, type));
  expect(error?.revision).toBe('1.2.3');
  const trace = parseTrace(error!.error_message);
  expect(trace).toMatchObject({ errorType: type, message: 'boom' });
  expect(trace.frames[0]).toMatchObject({ path: 'app/jobs.py', line: 40 });
});

test('a plain report keeps its stack without repeating the message', () => {
  const stack = 'Error: x failed\n    at f (a.js:1:2)';
  expect(parseErrorEvent({ message: 'x failed', type: 'Error', stack })?.error_message).toBe(stack);
  expect(parseErrorEvent({ message: 'x failed', stack: 'at f (a.js:1:2)' })?.error_message).toBe(
    'x failed\nat f (a.js:1:2)',
  );
  expect(parseErrorEvent({ message: '' })).toBeNull();
});
