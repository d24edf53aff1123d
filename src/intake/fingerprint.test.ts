import { expect, test } from 'vitest';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import type { ErrorEvent, EventException, EventFrame } from './error-event.ts';
import { eventText } from './event-text.ts';
import { eventFingerprint, textFingerprint } from './fingerprint.ts';

/** A frame from `path function:line`. */
function frame(text: string, more: Partial<EventFrame> = {}): EventFrame {
  const [path = '', symbol, line = '1'] = text.split(/[ :]/);
  return { path, line: Number(line), ...(symbol && { symbol }), ...more };
}

function event(exceptions: EventException[], more: Partial<ErrorEvent> = {}): ErrorEvent {
  return {
    ...{
      id: '0'.repeat(32),
      source: 'sentry',
      platform: 'python',
      at: '2026-01-01T00:00:00Z',
      level: 'error',
    },
    ...{ message: null, exceptions, tags: {}, breadcrumbs: [], contexts: {}, extra: {}, debugImages: [] },
    ...more,
  } as ErrorEvent;
}

const thrown = (type: string, value: string, ...frames: (string | EventFrame)[]): EventException => ({
  ...{ type, value, frames: frames.map((one) => (typeof one === 'string' ? frame(one) : one)) },
});
const of = (...exceptions: EventException[]) => eventFingerprint(event(exceptions));
const log = (message: string, more: Partial<ErrorEvent> = {}) =>
  eventFingerprint(event([], { message, ...more }));

/** Pairs of one fault. */
const SAME: Record<string, [string, string]> = {
  'a statement of a function with a generic name, from any caller': [
    of(thrown('TypeError', "reading 'id'", 'src/queue.ts next', 'src/player.tsx onEnded')),
    of(thrown('TypeError', 'track is undefined', 'src/queue.ts next', 'src/keys.ts onMediaKey')),
  ],
  'an endless recursion, which browsers name differently': [
    of(thrown('RangeError', 'Maximum call stack size exceeded', 'src/tree.js walk:4', 'src/tree.js walk:4')),
    of(thrown('InternalError', 'too much recursion', 'src/tree.js walk:5', 'src/tree.js walk:5')),
  ],
  'memory that an array needs': [
    of(thrown('_ArrayMemoryError', 'Unable to allocate 812 MiB', 'app/load.py curve')),
    of(thrown('_ArrayMemoryError', 'Unable to allocate 2.3 GiB', 'app/model.py matrix')),
  ],
  'lines, values and callers': [
    of(thrown('KeyError', "'a'", 'shop/cart.py total:3', 'shop/views.py get:9')),
    of(thrown('KeyError', "'b 2'", 'shop/cart.py total:31', 'shop/jobs.py run_all:4')),
  ],
  'deploy folders': [
    of(thrown('E', '', '/srv/shop/releases/20260101120000/app/models.py save')),
    of(thrown('E', '', { ...frame('x save'), path: 'C:/Users/ada/code/shop/app/models.py' })),
  ],
  'content hashes and compiled files': [
    of(thrown('TypeError', 'x', 'assets/cart-BfH3a9d2.js total')),
    of(thrown('TypeError', 'y', 'src/cart.ts total')),
  ],
  'library and generated frames': [
    of(thrown('E', '', '/usr/lib/python3.11/json/decoder.py decode', 'app/feed.py fetch_all')),
    of(thrown('E', '', '/env/site-packages/orjson/x.py loads', 'app/feed.py fetch_all')),
  ],
  'proxies and lambdas of the JVM': [
    of(
      thrown(
        'E',
        '',
        'com/shop/Cart.java Cart.lambda$total$0',
        'com/shop/Cart$$EnhancerBySpringCGLIB$$1f.java x',
      ),
    ),
    of(thrown('E', '', 'com/shop/Cart.java Cart.total')),
  ],
  'wrappers of one root cause': [
    of(
      thrown('AppError', 'failed', 'app/api.py handle_it'),
      thrown('DbError', 'gone', 'app/db.py load_user'),
    ),
    of(thrown('DbError', 'gone', 'app/db.py load_user')),
  ],
  'depth of a recursion': [
    of(thrown('RecursionError', '', ...Array(9).fill('app/tree.py walk'), 'app/main.py start')),
    of(thrown('RecursionError', '', 'app/tree.py depth_of', ...Array(6).fill('app/tree.py walk'))),
  ],
  'anonymous callbacks': [
    of(thrown('E', '', 'src/cart.js <anonymous>', 'src/cart.js total')),
    of(thrown('E', '', 'src/cart.js Object.total')),
  ],
  'state machines': [
    of(thrown('E', '', frame('src/Visit.cs MoveNext', { module: 'App.Visit+<LoadAsync>d__12' }))),
    of(thrown('E', '', frame('src/Visit.cs Visit.LoadAsync'))),
  ],
  'names of timeouts': [
    of(thrown('ReadTimeout', 'x', 'app/psp.py charge')),
    of(thrown('socket.timeout', 'timed out', 'app/psp.py charge')),
  ],
  'who asked for memory last': [
    of(thrown('java.lang.OutOfMemoryError', 'Java heap space', 'com/A.java A.a')),
    of(thrown('OutOfMemoryError', 'Java heap space', 'com/B.java B.b')),
  ],
  'ids, urls, addresses, dates and quotes in messages': [
    log(
      'User 12 of ada@x.org failed at 2026-01-02T03:04:05Z: "no" (10.0.0.1:80) https://a.b/c?d=1 5f2b7c1e-9d1a-4c3b-8e7f-001122334455',
    ),
    log(
      "User 998 of bo.b@y.com failed at 2025-12-31 23:59:59: 'yes' (192.168.1.20:8080) http://q/r 0a2b7c1e-9d1a-4c3b-8e7f-aabbccddeeff",
    ),
  ],
  'templates and their parameters': [
    log('Order of Ada rejected', { messageTemplate: 'Order of %s rejected' }),
    log('Order of Bob rejected', { messageTemplate: 'Order of %s rejected' }),
  ],
  'the default fingerprint': [
    eventFingerprint(event([thrown('E', '', 'a.py f')], { fingerprint: ['{{ default }}'] })),
    of(thrown('E', '', 'a.py f')),
  ],
  'a fingerprint of the SDK': [
    eventFingerprint(
      event([thrown('E', '', 'a.py f')], {
        fingerprint: ['billing', '{{ tags.plan }}'],
        tags: { plan: 'pro' },
      }),
    ),
    eventFingerprint(event([thrown('X', '', 'b.py g')], { fingerprint: ['billing', 'pro'] })),
  ],
};

/** Pairs of different faults. */
const DIFFERENT: Record<string, [string, string]> = {
  'functions of one file': [of(thrown('E', '', 'a.py f')), of(thrown('E', '', 'a.py g'))],
  'types at one place': [of(thrown('KeyError', '', 'a.py f')), of(thrown('ValueError', '', 'a.py f'))],
  'files of one name in two folders': [
    of(thrown('E', '', 'shop/views.py get_all')),
    of(thrown('E', '', 'blog/views.py get_all')),
  ],
  'callers of a function that refuses an argument': [
    of(
      thrown(
        'java.lang.IllegalArgumentException',
        'not a code: 45R1',
        'a/Checks.java iso',
        'a/Edi.java read',
      ),
    ),
    of(
      thrown('java.lang.IllegalArgumentException', 'not a code: MSKU', 'a/Checks.java iso', 'a/Gate.java in'),
    ),
  ],
  'callers of a shared assertion': [
    of(thrown('E', '', 'a.py assert_valid', 'cart.py total')),
    of(thrown('E', '', 'a.py assert_valid', 'user.py login')),
  ],
  'constraints of one statement': [
    of(thrown('DbError', 'violates unique constraint "users_email"', 'db.py insert_row')),
    of(thrown('DbError', 'violates unique constraint "users_name"', 'db.py insert_row')),
  ],
  'words of messages': [log('Payment declined for order 1'), log('Payment delayed for order 1')],
  'kinds of memory': [
    of(thrown('OutOfMemoryError', 'Java heap space')),
    of(thrown('OutOfMemoryError', 'Metaspace')),
  ],
  'fingerprints of the SDK': [
    eventFingerprint(event([thrown('E', '', 'a.py f')], { fingerprint: ['{{ default }}', 'a'] })),
    eventFingerprint(event([thrown('E', '', 'a.py f')], { fingerprint: ['{{ default }}', 'b'] })),
  ],
};

test.each(Object.entries(SAME))('one group: %s', (_name, [a, b]) => expect(a).toBe(b));
test.each(Object.entries(DIFFERENT))('two groups: %s', (_name, [a, b]) => expect(a).not.toBe(b));

test('an error has the same fingerprint as an event and as a pasted text', () => {
  const root = (path: string, symbol: string) =>
    thrown(
      'KeyError',
      "'price'",
      { path, absPath: `/srv/app/${path}`, line: 3, symbol },
      frame('shop/views.py get_cart:9'),
    );
  const events: [string, EventException[]][] = [
    [
      'python',
      [thrown('CartError', 'broken', '/srv/app/shop/views.py get_cart:12'), root('shop/cart.py', 'total')],
    ],
    [
      'java',
      [
        thrown('java.lang.IllegalStateException', 'x', 'com/shop/Api.java Api.pay:4'),
        thrown('java.sql.SQLException', 'y', 'com/shop/Db.java Db.load:7'),
      ],
    ],
    ['ruby', [thrown('NoMethodError', 'undefined method', 'app/models/cart.rb total:3')]],
    [
      'go',
      [
        thrown(
          'panic',
          'runtime error: index out of range [5] with length 3',
          frame('/app/cart.go Total:7', { module: 'main' }),
        ),
      ],
    ],
    ['node', [thrown('TypeError', 'x is not a function', '/app/src/cart.js total:7')]],
    [
      'native',
      [
        thrown(
          'panic',
          'called `Option::unwrap()` on a `None` value',
          ...[
            'std::panicking::begin_panic_handler',
            'core::panicking::panic_fmt',
            'core::option::unwrap',
          ].map((symbol) =>
            frame('/rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/core/src/x.rs', { symbol }),
          ),
          frame('depot.rs', {
            absPath: '/build/geo/src/depot.rs',
            symbol: 'geo::depot::nearest',
            inApp: true,
          }),
          frame('plan.rs', { absPath: '/build/geo/src/plan.rs', symbol: 'geo::plan::start', inApp: true }),
        ),
      ],
    ],
  ];
  for (const [platform, exceptions] of events) {
    const one = event(exceptions, { platform });
    expect([platform, textFingerprint(eventText(one)).key]).toEqual([platform, eventFingerprint(one)]);
  }
});

test('hostile names and messages take linear time', async () => {
  const long = [
    'a.'.repeat(50_000),
    '('.repeat(100_000),
    '<'.repeat(100_000),
    `'${'x'.repeat(100_000)}`,
    '$$'.repeat(50_000),
    '/a'.repeat(50_000),
    '1:'.repeat(50_000),
  ];
  for (const text of long) {
    const read = () => {
      of(thrown(text, text, { path: text, symbol: text, line: 1 }));
      log(text);
    };
    expect(await measureCpuMs(read), text.slice(0, 10)).toBeLessThan(1_500);
  }
});
