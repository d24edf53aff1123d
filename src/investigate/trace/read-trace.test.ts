import { expect, test } from 'vitest';
import { parseTrace } from './read-trace.ts';

test('a node trace, its code, cause and the line printed on exit', () => {
  const trace = parseTrace(`/app/src/reply.js:12
    throw new FST_ERR_SENT()
    ^

FastifyError [FST_ERR_SENT]: Reply was already sent
    at Reply.send (/app/src/reply.js:12:11)
    at async Object.handler [as run] (file:///app/src/handlers/user.js:40:3)
    at new Server (webpack:///./src/server.ts?a1b2:7:9)
    at node:internal/process/task_queues:95:5 {
  statusCode: 500,
  [cause]: TypeError: Cannot read properties of undefined (reading 'id')
      at load (/app/src/load.js:3:1)
}`);
  expect(trace).toMatchObject({
    language: 'javascript',
    errorType: 'FastifyError',
    code: 'FST_ERR_SENT',
    message: 'Reply was already sent',
  });
  expect(trace.frames.map(({ path, line, symbol }) => [path, line, symbol])).toEqual([
    ['/app/src/reply.js', 12, 'Reply.send'],
    ['/app/src/handlers/user.js', 40, 'handler'],
    ['src/server.ts', 7, 'Server'],
    ['node:internal/process/task_queues', 95, undefined],
    ['/app/src/load.js', 3, 'load'],
  ]);
  expect(trace.related[0]?.message).toBe("Cannot read properties of undefined (reading 'id')");
});

test('files that required a module in vain are no message', () => {
  const trace = parseTrace(`ERROR: Cannot find module 'acorn'
Require stack:
- /srv/node_modules/shop/bin/shop
- /srv/main.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1564:15)
    at /srv/node_modules/shop/bin/shop:343:28`);
  expect(trace.message).toBe("Cannot find module 'acorn'");
});

test('Firefox and Safari', () => {
  const trace = parseTrace(`Uncaught TypeError: item is undefined
render@https://example.test/assets/list.js?v=3:10:5
@https://example.test/assets/main.js:1:1
forEach@[native code]`);
  expect(trace.frames).toEqual([
    { path: '/assets/list.js', line: 10, column: 5, symbol: 'render' },
    { path: '/assets/main.js', line: 1, column: 1 },
  ]);
});

test('vitest and jest reports with colors', () => {
  const vitest = parseTrace(`\u001b[31m FAIL \u001b[39m src/sum.test.ts > adds
\u001b[31mAssertionError: expected 3 to be 4\u001b[39m
 ❯ add src/sum.ts:8:10
 ❯ src/sum.test.ts:5:18`);
  expect(vitest.message).toBe('expected 3 to be 4');
  expect(vitest.frames.map((frame) => frame.path)).toEqual(['src/sum.ts', 'src/sum.test.ts']);
  const jest = parseTrace(`  ● list › keeps order

    RangeError: Invalid array length

      at Object.grow (src/list.js:3:9)`);
  expect(jest).toMatchObject({ errorType: 'RangeError', frames: [{ path: 'src/list.js', symbol: 'grow' }] });
});

test('diagnostics of the TypeScript compiler', () => {
  const trace = parseTrace(`src/a.ts(10,5): error TS2322: Type 'string' is not assignable to type 'number'.
src/b.ts:3:1 - error TS2304: Cannot find name 'x'.`);
  expect(trace).toMatchObject({ errorType: 'TS2322', language: 'javascript' });
  expect(trace.frames).toEqual([
    { path: 'src/a.ts', line: 10, column: 5 },
    { path: 'src/b.ts', line: 3, column: 1 },
  ]);
});

const PYTHON = `Traceback (most recent call last):
  File "/srv/venv/lib/python3.12/site-packages/requests/models.py", line 434, in prepare_url
    scheme, auth, host, port, path, query, fragment = parse_url(url)
                                                      ^^^^^^^^^^^^^^
  File "/srv/venv/lib/python3.12/site-packages/urllib3/util/url.py", line 397, in parse_url
    raise LocationParseError(source_url)
urllib3.exceptions.LocationParseError: Failed to parse: http://[::1

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "app.py", line 3, in <module>
    requests.get(url)
  File "/srv/venv/lib/python3.12/site-packages/requests/models.py", line 436, in prepare_url
    raise InvalidURL(*e.args)
requests.exceptions.InvalidURL: Failed to parse: http://[::1`;

test('a chained Python traceback, innermost first', () => {
  const trace = parseTrace(PYTHON);
  expect(trace).toMatchObject({ language: 'python', errorType: 'requests.exceptions.InvalidURL' });
  expect(trace.frames[0]).toMatchObject({
    line: 436,
    symbol: 'prepare_url',
    text: 'raise InvalidURL(*e.args)',
  });
  expect(trace.frames.map((frame) => frame.line)).toEqual([436, 3, 397, 434]);
  expect(trace.related.map((error) => error.type)).toEqual(['urllib3.exceptions.LocationParseError']);
});

test.each([
  ['web-1  | ', 'container'],
  ['2024-05-01T10:00:00.123Z ', 'timestamp'],
  ['2024-05-01 10:00:00,123 ERROR ', 'timestamp and level'],
  ['May  1 10:00:00 host app[77]: ', 'syslog'],
  ['[pod/app-1/web] ', 'pod'],
])('the prefix %j (%s) is no part of the trace', (prefix) => {
  const logged = PYTHON.split('\n').map((line) => prefix + line);
  expect(parseTrace(logged.join('\n'))).toEqual(parseTrace(PYTHON));
});

test('a trace inside a JSON log line', () => {
  const log = JSON.stringify({ level: 50, err: { stack: 'TypeError: no id\n    at load (/app/a.js:3:1)' } });
  expect(parseTrace(log).frames).toMatchObject([{ path: '/app/a.js', line: 3, symbol: 'load' }]);
});

test('a syntax error, and pytest', () => {
  const syntax = parseTrace(
    '  File "pkg/x.py", line 3\n    def f(\n         ^\nSyntaxError: \'(\' was never closed',
  );
  expect(syntax).toMatchObject({ errorType: 'SyntaxError', frames: [{ path: 'pkg/x.py', line: 3 }] });
  const pytest = parseTrace(`____________ test_get ____________

    def test_get():
>       fetch(None)

tests/test_get.py:4:
_ _ _ _ _ _ _ _
>       return url.lower()
E       AttributeError: 'NoneType' object has no attribute 'lower'

pkg/get.py:9: AttributeError
=== short test summary info ===
FAILED tests/test_get.py::test_get - AttributeError: 'NoneType' object has no`);
  expect(pytest).toMatchObject({
    language: 'python',
    errorType: 'AttributeError',
    message: "'NoneType' object has no attribute 'lower'",
  });
  expect(pytest.frames).toEqual([
    { path: 'pkg/get.py', line: 9, text: 'return url.lower()' },
    { path: 'tests/test_get.py', line: 4, text: 'fetch(None)' },
  ]);
});

test('text without a trace yields its message and file mentions', () => {
  const trace = parseTrace(
    'It stopped.\nfatal: BUG: refs/files-backend.c:42: ref is locked\nsee docs at example.com',
  );
  expect(trace).toMatchObject({
    language: null,
    message: 'fatal: BUG: refs/files-backend.c:42: ref is locked',
  });
  expect(trace.frames).toEqual([{ path: 'refs/files-backend.c', line: 42 }]);
});

const HOSTILE = [
  '>'.repeat(100_000),
  'a'.repeat(100_000),
  'a.'.repeat(50_000),
  'at '.repeat(33_000),
  `    at ${'('.repeat(90_000)}`,
  '    at x (eval at y (eval at '.repeat(3_000),
  ' (a) [as b]'.repeat(9_000),
  '  File "'.repeat(12_000),
  'File "x", line 1, in f\n'.repeat(4_000),
  `${'A'.repeat(99_990)}Error:`,
  'AError.'.repeat(14_000),
  '\u001b['.repeat(50_000),
  '\\n    at '.repeat(11_000),
  '| | | '.repeat(16_000),
  '../'.repeat(33_000),
  '@http://'.repeat(12_000),
  '\n'.repeat(100_000),
  '\0'.repeat(1_000),
  '__proto__\nconstructor: x\n  File "__proto__", line 1',
  '\ud800'.repeat(1_000),
];

// A pattern that explodes on one of these would not end before the test's time is up.
test.each(HOSTILE)('hostile text %# is read', (text) => {
  expect(parseTrace(text).lines.length).toBeGreaterThan(0);
});

const PRINTED = [
  'Traceback (most recent call last):',
  '  File "/srv/shop/order.py", line 3, in price',
  '    return rates[region]',
  "KeyError: 'north'",
];

test.each<[string, (lines: string[]) => string[]]>([
  ['quoted', (lines) => lines.map((line) => `> ${line}`)],
  ['indented', (lines) => lines.map((line) => `    ${line}`)],
  ['in a code block of Markdown', (lines) => ['I get this:', '', ...lines.map((line) => `    ${line}`)]],
  ['fenced', (lines) => ['Hello,', '', '```', ...lines, '```', 'Thanks']],
  ['in a log record', (lines) => [JSON.stringify({ level: 50, err: { stack: lines.join('\n') } })]],
  ['after a level', ([first, ...rest]) => [`[2026-03-04 10:11:12] production.ERROR: ${first}`, ...rest]],
])('a trace %s is read as printed alone', (_, change) => {
  const { errorType, message, frames } = parseTrace(change(PRINTED).join('\n'));
  expect({ errorType, message, frames }).toMatchObject({
    errorType: 'KeyError',
    message: "'north'",
    frames: [{ path: '/srv/shop/order.py', line: 3, symbol: 'price', text: 'return rates[region]' }],
  });
});

test('the message of a text without a trace is the one in its code block', () => {
  const { message } = parseTrace('Hello,\n\n```\nRequired flag "region" not set\n```\nThanks');
  expect(message).toBe('Required flag "region" not set');
});

test('an error without words is described by its type', () => {
  const { message } = parseTrace(
    'Exception in thread "main" java.lang.StackOverflowError\n\tat com.acme.Shop.open(Shop.java:3)',
  );
  expect(message).toBe('java.lang.StackOverflowError');
});
