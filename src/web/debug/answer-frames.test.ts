import { expect, test } from 'vitest';
import type { Evidence } from '#contract/debug.ts';
import { listFrames, placeRange } from './answer-frames.ts';

const frameAt = (path: string, line: number, params: Evidence['why']['params'] = {}): Evidence => ({
  ...{ id: 'e1', kind: 'frame', path, lines: [line, line], quote: '' },
  why: { code: 'debug.why.frame', params, text: '' },
});

const summary = (error: string, evidence: Evidence[]) =>
  listFrames(error, { evidence }).map(
    ({ path, line, symbol, own }) => `${path}:${line} ${symbol} ${own ? `${own.path}:${own.from}` : '-'}`,
  );

test('frames of JavaScript are innermost first, with those of the runtime', () => {
  const error = [
    'file:///tmp/ledger/src/amount.js:3',
    '  const [value] = text.trim();',
    "TypeError: Cannot read properties of undefined (reading 'trim')",
    '    at parseAmount (file:///tmp/ledger/src/amount.js:3:42)',
    '    at async /tmp/ledger/src/total.js:7:20',
    '    at Module._compile (node:internal/modules/cjs/loader:1554:14)',
  ].join('\n');
  const evidence = [frameAt('src/amount.js', 3), frameAt('src/amount.js', 3)];
  expect(summary(error, evidence)).toEqual([
    '/tmp/ledger/src/amount.js:3 parseAmount src/amount.js:3',
    '/tmp/ledger/src/total.js:7 null -',
    'node:internal/modules/cjs/loader:1554 Module._compile -',
  ]);
});

test('frames of Python are turned round', () => {
  const error =
    'Traceback (most recent call last):\n  File "/app/run.py", line 2, in <module>\n    main()\n' +
    '  File "/usr/lib/python3/site-packages/flask/app.py", line 90, in route\n    raise ValueError(x)\nValueError: no';
  expect(summary(error, [frameAt('src/flask/app.py', 95, { printed: 90 })])).toEqual([
    'src/flask/app.py:95 null src/flask/app.py:95',
    '/usr/lib/python3/site-packages/flask/app.py:90 route -',
    '/app/run.py:2 <module> -',
  ]);
  expect(summary(error, [frameAt('flask/app.py', 95, { printed: 90 })])[0]).toBe(
    '/usr/lib/python3/site-packages/flask/app.py:90 route flask/app.py:95',
  );
});

test('frames of Java, Ruby and Go are read', () => {
  expect(summary('\tat a.b.Total.add(Total.java:12)', [frameAt('src/a/b/Total.java', 12)])).toEqual([
    'Total.java:12 a.b.Total.add src/a/b/Total.java:12',
  ]);
  expect(summary("lib/rack.rb:5:in `call'\n\tfrom /srv/x.rb:1:in '<main>'", [])).toEqual([
    'lib/rack.rb:5 call -',
    '/srv/x.rb:1 <main> -',
  ]);
  expect(summary('main.add(0x1)\n\t/src/main.go:7 +0x1f', [])).toEqual(['/src/main.go:7 null -']);
});

test('evidence that the text does not show comes first', () => {
  expect(summary('TypeError: x', [frameAt('a.js', 1, { symbol: 'add' })])).toEqual(['a.js:1 add a.js:1']);
});

test('without a frame the line that raises the message is shown, else the first place', () => {
  const why = { code: '', params: {}, text: '' };
  const place = { path: 'a.js', start_line: 1, end_line: 30, score: 1, why };
  const origin: Evidence = { id: 'e2', kind: 'origin', path: 'a.js', lines: [9, 10], quote: '', why };
  expect(placeRange({ evidence: [origin], places: [place] })).toEqual({ path: 'a.js', from: 9, to: 10 });
  expect(placeRange({ evidence: [], places: [place] })).toEqual({ path: 'a.js', from: 1, to: 30 });
  expect(placeRange({ evidence: [], places: [] })).toBeNull();
});
