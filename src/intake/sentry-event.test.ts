import { expect, test } from 'vitest';
import type { ErrorEvent } from './error-event.ts';
import { parseSentryEvent } from './sentry-event.ts';

const RECEIVED = new Date('2026-11-23T10:00:00Z');
const parse = (event: object, envelopeId?: string): ErrorEvent =>
  parseSentryEvent(Buffer.from(JSON.stringify(event)), { receivedAt: RECEIVED, envelopeId })!;
const placesOf = ({ exceptions }: ErrorEvent) =>
  exceptions.map(({ frames }) => frames.map(({ path, line, symbol }) => `${path}:${line} ${symbol}`));

/** Shapes of each SDK, rebuilt from the fixture that its comment names. */

// getsentry/sentry-go, testdata/error_event.golden and interfaces.go: `exception` is a list, breadcrumbs too.
const GO = {
  breadcrumbs: [
    { data: { data_key: 'data_val' } },
    { category: 'http', message: 'GET /cart', timestamp: '2026-11-23T09:59:58Z' },
  ],
  contexts: { runtime: { name: 'go', version: 'go1.25.1' }, os: { name: 'linux' } },
  environment: 'production',
  event_id: '0123456789abcdef',
  level: 'error',
  platform: 'go',
  release: 'shop@1.0',
  sdk: { name: 'sentry.go', version: '0.40.0' },
  timestamp: '2026-11-23T09:59:59Z',
  exception: [
    { type: '*errors.errorString', value: 'no rows' },
    {
      type: '*fmt.wrapError',
      value: 'load cart: no rows',
      stacktrace: {
        frames: [
          { function: 'main', module: 'main', abs_path: '/srv/shop/main.go', lineno: 20, in_app: true },
          {
            function: '(*Store).Load',
            module: 'example.org/shop/store',
            abs_path: '/srv/shop/store/store.go',
            lineno: 44,
            in_app: true,
          },
        ],
      },
    },
  ],
};

// getsentry/sentry-java, sentry/src/test/resources/json/sentry_event.json: `message` is an object, ids are numbers.
const JAVA = {
  event_id: 'afcb46b1140ade5187c4bbb5daa804df',
  timestamp: '2026-11-23T09:59:59.000Z',
  platform: 'java',
  level: 'fatal',
  logger: 'com.shop.CartController',
  message: { formatted: 'cart 7 failed', message: 'cart {} failed', params: ['7'] },
  exception: {
    values: [
      {
        type: 'NullPointerException',
        value: 'items',
        module: 'java.lang',
        thread_id: 7583606041296518095n.toString(),
        stacktrace: {
          frames: [
            {
              filename: 'Cart.java',
              module: 'com.shop.Cart$Items',
              function: 'total',
              lineno: 31,
              in_app: true,
              native: false,
            },
          ],
        },
      },
      {
        type: 'CartException',
        value: null,
        module: 'com.shop',
        mechanism: { type: 'UncaughtExceptionHandler', handled: false },
        stacktrace: {
          frames: [
            { filename: 'Thread.java', module: 'java.lang.Thread', function: 'run', lineno: -1 },
            {
              filename: 'CartController.java',
              module: 'com.shop.CartController',
              function: 'checkout',
              lineno: 12,
            },
          ],
        },
      },
    ],
  },
  threads: { values: [{ id: 1, name: 'main', crashed: true, stacktrace: { frames: [] } }] },
  debug_meta: {
    images: [
      {
        type: 'proguard',
        uuid: '8994027e-1cd9-4be8-b611-88ce08cf16e6',
        debug_id: '8994027e-1cd9-4be8-b611-88ce08cf16e6',
      },
    ],
  },
  user: { email: 'a@b.co', ip_address: '1.2.3.4' },
};

// getsentry/sentry-ruby, sentry-ruby/spec/sentry/client/event_sending_spec.rb and event_spec.rb: the chain ends with the raised one.
const RUBY = {
  event_id: '2e6b1c2f8e8b4c0b9c8a1f6d2f3f4a5b',
  level: 'error',
  timestamp: '2026-11-23T09:59:59Z',
  environment: 'development',
  server_name: 'foo.local',
  modules: { rake: '12.3.3' },
  platform: 'ruby',
  sdk: { name: 'sentry.ruby', version: '6.2.0' },
  exception: {
    values: [
      {
        type: 'ZeroDivisionError',
        value: 'divided by 0',
        module: '',
        thread_id: 8,
        stacktrace: {
          frames: [
            {
              project_root: '/srv/shop',
              abs_path: '/srv/shop/app/cart.rb',
              function: 'Cart#total',
              lineno: 9,
              in_app: true,
              filename: 'app/cart.rb',
              pre_context: ['  def total\n'],
              context_line: '    1 / 0\n',
              post_context: ['  end\n'],
            },
          ],
        },
      },
    ],
  },
  request: {
    url: 'http://localhost/cart',
    method: 'POST',
    query_string: 'token=1',
    headers: { Cookie: 'a=b' },
    cookies: 'a=b',
    env: { REMOTE_ADDR: '1.2.3.4' },
  },
};

// getsentry/sentry-php, tests/Serializer/PayloadSerializerTest.php: the id is in the envelope alone, times are seconds.
const PHP = {
  timestamp: RECEIVED.getTime() / 1000 - 1,
  platform: 'php',
  sdk: { name: 'sentry.php', version: '4.18.0' },
  level: 'error',
  transaction: '/users/<username>/',
  release: '721e41770371db95eee98ca2707686226b993eda',
  fingerprint: ['myrpc', 'POST', '/foo.bar'],
  tags: { ios_version: '4.0' },
  extra: { my_key: 1, list: ['a'] },
  breadcrumbs: {
    values: [
      { type: 'user', category: 'log', level: 'info' },
      { type: 'http', category: 'http', data: { method: 'GET', url: 'http://api/x', status_code: 500 } },
    ],
  },
  exception: {
    values: [
      { type: 'Exception', value: 'initial exception' },
      {
        type: 'LogicException',
        value: 'chained exception',
        mechanism: { type: 'generic', handled: true, data: { code: 123 } },
        stacktrace: {
          frames: [
            { filename: '/index.php', lineno: 3, in_app: true },
            {
              filename: '/src/Cart.php',
              abs_path: '/srv/shop/src/Cart.php',
              lineno: 42,
              function: 'Shop\\Cart::add',
              raw_function: 'Shop\\Cart::add',
              context_line: "  throw new LogicException('x');",
              in_app: true,
            },
          ],
        },
      },
    ],
  },
};

// getsentry/sentry-dotnet, test/Sentry.Tests/Protocol/SentryEventTests.SerializeObject_….verified.txt: `logentry`, modules as a map.
const DOTNET = {
  modules: { Shop: '1.0.0' },
  event_id: '4c780f4cdde84f1abaa5d4d2e9a6b5c3',
  timestamp: '2026-11-23T09:59:59.1234567+00:00',
  logentry: { message: 'Cart {Id} failed', formatted: 'Cart 7 failed' },
  platform: 'csharp',
  exception: {
    values: [
      {
        type: 'System.InvalidOperationException',
        value: 'Sequence contains no elements',
        module: 'System.Private.CoreLib',
        mechanism: { type: 'AppDomain.UnhandledException', handled: false },
        stacktrace: {
          frames: [
            {
              filename: 'Program.cs',
              function: 'async Task Main(string[] args)',
              lineno: 5,
              abs_path: 'C:\\shop\\Program.cs',
            },
            {
              filename: 'Cart.cs',
              function: 'decimal Cart.Total()',
              module: 'Shop.Cart',
              package: 'Shop',
              lineno: 17,
              colno: 9,
              abs_path: 'C:\\shop\\Cart.cs',
              in_app: true,
              instruction_addr: '0x1',
              addr_mode: 'rel:0',
            },
          ],
        },
      },
    ],
  },
  threads: { values: [{ id: 0, name: 'main', crashed: true }] },
  level: 'fatal',
  contexts: {
    runtime: { type: 'runtime', name: '.NET', version: '9.0.1', raw_description: '.NET 9.0.1' },
    os: { raw_description: 'Debian 12' },
  },
};

test.each([
  ['Go', GO, ['/srv/shop/store/store.go:44 (*Store).Load', '/srv/shop/main.go:20 main']],
  [
    'Java',
    JAVA,
    ['com/shop/CartController.java:12 CartController.checkout', 'java/lang/Thread.java:null Thread.run'],
  ],
  ['Ruby', RUBY, ['app/cart.rb:9 Cart#total']],
  ['PHP', PHP, ['/src/Cart.php:42 Shop\\Cart::add', '/index.php:3 undefined']],
  ['.NET', DOTNET, ['Cart.cs:17 decimal Cart.Total()', 'Program.cs:5 async Task Main(string[] args)']],
])(
  'the frames of the %s SDK are innermost first, of the exception that was thrown',
  (_name, event, places) => {
    expect(placesOf(parse(event))[0]).toEqual(places);
  },
);

test('what the SDKs say about an event is kept, about people it is not', () => {
  expect(parse(GO)).toMatchObject({
    exceptions: [{ type: '*fmt.wrapError', value: 'load cart: no rows' }, { type: '*errors.errorString' }],
    breadcrumbs: [
      { message: '{"data_key":"data_val"}' },
      { at: '2026-11-23T09:59:58.000Z', category: 'http', message: 'GET /cart' },
    ],
    contexts: { runtime: 'go go1.25.1', os: 'linux' },
    at: '2026-11-23T09:59:59.000Z',
  });
  expect(parse(JAVA)).toMatchObject({
    level: 'fatal',
    message: 'cart 7 failed',
    messageTemplate: 'cart {} failed',
    exceptions: [
      { type: 'CartException', value: null, handled: false, mechanism: 'UncaughtExceptionHandler' },
      { type: 'NullPointerException', frames: [{ path: 'com/shop/Cart.java', symbol: 'Cart.total' }] },
    ],
    debugImages: [{ type: 'proguard', debugId: '8994027e-1cd9-4be8-b611-88ce08cf16e6' }],
  });
  expect(parse(RUBY)).toMatchObject({
    request: { method: 'POST', url: 'http://localhost/cart' },
    exceptions: [{ frames: [{ text: '    1 / 0\n', before: ['  def total\n'] }] }],
  });
  expect(parse(PHP, 'fc9442f5-aef3-4234-bb22-b9a615e30ccd')).toMatchObject({
    id: 'fc9442f5aef34234bb22b9a615e30ccd',
    fingerprint: ['myrpc', 'POST', '/foo.bar'],
    extra: { my_key: '1', list: '["a"]' },
    breadcrumbs: [{ category: 'http', message: 'GET http://api/x 500' }],
    at: '2026-11-23T09:59:59.000Z',
  });
  expect(parse(DOTNET)).toMatchObject({
    message: 'Cart 7 failed',
    contexts: { runtime: '.NET 9.0.1', os: 'Debian 12' },
    at: '2026-11-23T09:59:59.123Z',
  });
  for (const event of [GO, JAVA, RUBY, PHP, DOTNET]) {
    expect(JSON.stringify(parse(event))).not.toMatch(/a@b\.co|1\.2\.3\.4|Cookie|a=b|token=1/);
  }
});

test('older and rarer shapes: one exception as an object, frames of a thread or of the event, pairs as tags', () => {
  expect(parse({ exception: { type: 'E', value: { code: 1 } } }).exceptions).toMatchObject([
    { type: 'E', value: '{"code":1}' },
  ]);
  const frames = [
    {
      filename: 'http://shop.example/static/app.js?v=1',
      abs_path: 'http://shop.example/static/app.js?v=1',
      lineno: 1,
      colno: 9,
    },
  ];
  expect(
    parse({
      exception: { values: [{ type: 'E' }] },
      threads: { values: [{ stacktrace: null }, { crashed: true, stacktrace: { frames } }] },
    }).exceptions,
  ).toMatchObject([
    {
      type: 'E',
      frames: [{ path: 'static/app.js', absPath: 'http://shop.example/static/app.js', line: 1, column: 9 }],
    },
  ]);
  expect(placesOf(parse({ message: 'x', stacktrace: { frames } }))).toEqual([['static/app.js:1 undefined']]);
  expect(
    parse({
      tags: [
        ['a', 'b'],
        ['c', 1],
      ],
    }).tags,
  ).toEqual({ a: 'b', c: '1' });
  expect(parse({ fingerprint: ['{{ default }}'] }).fingerprint).toBeUndefined();
  expect(parse({ timestamp: '1970-01-01T00:00:05Z' }).at).toBe(RECEIVED.toISOString());
});
