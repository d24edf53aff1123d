import { expect, test } from 'vitest';
import { parseTrace } from './read-trace.ts';

/** Summarizes a trace: its language, type and message, then one line a frame: `path:line symbol`. */
function said(text: string): string {
  const { language, errorType, message, frames } = parseTrace(text);
  const lines = frames.map(({ path, line, symbol }) => `${path}:${line} ${symbol ?? ''}`.trim());
  return [`${language} | ${errorType} | ${message}`, ...lines].join('\n');
}

const CASES: [name: string, text: string, expected: string][] = [
  [
    'Java with causes',
    `Exception in thread "main" java.lang.IllegalStateException: cart is closed
	at com.shop.Cart.add(Cart.java:42)
	at com.shop.Cart$Inner.lambda$go$0(Cart.java:50)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
	... 23 more
Caused by: java.io.IOException: disk full
	at app//com.shop.store.Disk.<init>(Disk.java:7)
	... 24 more`,
    `java | java.lang.IllegalStateException | cart is closed
com/shop/Cart.java:42 Cart.add
com/shop/Cart.java:50 Cart.Inner.go
com/shop/store/Disk.java:7 Disk.Disk`,
  ],
  [
    'Java with a cause that is only wrapped',
    `java.io.UncheckedIOException: com.shop.CartError: no price in row 3
	at com.lib.Uncheck.wrap(Uncheck.java:7)
	at com.shop.Cart.rows(Cart.java:42)
Caused by: com.shop.CartError: no price in row 3
	at com.shop.Row.parse(Row.java:9)`,
    `java | com.shop.CartError | no price in row 3
com/shop/Row.java:9 Row.parse
com/lib/Uncheck.java:7 Uncheck.wrap
com/shop/Cart.java:42 Cart.rows`,
  ],
  [
    'a running test of Go',
    `=== RUN   TestTotal
    cart_test.go:12: total is 0
--- FAIL: TestTotal (0.00s)`,
    `go | FAIL | total is 0
cart_test.go:12 TestTotal`,
  ],
  [
    'PHP with a message of several lines',
    `PHP Fatal error:  Uncaught UnexpectedValueException: no total in:
<ul>
</ul> in /srv/shop/cart.php:6
Stack trace:
#0 {main}`,
    `php | UnexpectedValueException | no total in: <ul> </ul>
/srv/shop/cart.php:6`,
  ],
  [
    'Kotlin and JUnit',
    `org.opentest4j.AssertionFailedError: expected: <1> but was: <2>
	at com.shop.CartTest.adds(CartTest.kt:12)`,
    `java | org.opentest4j.AssertionFailedError | expected: <1> but was: <2>
com/shop/CartTest.kt:12 CartTest.adds`,
  ],
  [
    'javac in Maven',
    '[ERROR] /src/main/java/com/shop/Cart.java:12: error: cannot find symbol',
    'java | error | cannot find symbol\n/src/main/java/com/shop/Cart.java:12',
  ],
  [
    'Perl with the calls of Carp',
    `Not an ARRAY reference at /usr/share/perl5/Shop/Cart.pm line 42.
	Shop::Cart::total(Shop::Cart=HASH(0x55d0)) called at bin/shop.pl line 12
	eval {...} called at bin/shop.pl line 3`,
    `perl | null | Not an ARRAY reference
/usr/share/perl5/Shop/Cart.pm:42 Cart.total
bin/shop.pl:12
bin/shop.pl:3`,
  ],
  [
    'a module that Perl cannot find',
    `Can't locate Shop/Cart.pm in @INC (you may need to install the Shop::Cart module) at bin/shop.pl line 2.
BEGIN failed--compilation aborted at bin/shop.pl line 2.`,
    `perl | null | Can't locate Shop/Cart.pm in @INC (you may need to install the Shop::Cart module)
bin/shop.pl:2`,
  ],
  [
    'a Go panic',
    `panic: runtime error: index out of range [5] with length 3 [recovered]

goroutine 1 [running]:
github.com/shop/cart/store.(*Server[...]).Handle.func1(0xc0000, {0x1, 0x2})
	/app/store/server.go:42 +0x1d
main.main()
	/app/main.go:10 +0x45
runtime.main()
	/usr/local/go/src/runtime/proc.go:250 +0x1
created by main.start in goroutine 1
	/app/start.go:3 +0x5

goroutine 7 [IO wait]:
internal/poll.wait(0x1)
	/usr/local/go/src/runtime/netpoll.go:1 +0x1`,
    `go | panic | runtime error: index out of range [5] with length 3
/app/store/server.go:42 Server.Handle
/app/main.go:10 main
/app/start.go:3 start`,
  ],
  [
    'go test and go build',
    `--- FAIL: TestAdd (0.00s)
    cart_test.go:12: got 1, want 2
./cart.go:7:3: undefined: total`,
    `go | FAIL | got 1, want 2
cart_test.go:12 TestAdd
cart.go:7`,
  ],
  [
    'a data race in Go',
    `==================
WARNING: DATA RACE
Read at 0x00c0 by goroutine 7:
  main.(*Cart).Add()
      /app/cart.go:12 +0x3e`,
    'go | DATA RACE | DATA RACE\n/app/cart.go:12 Cart.Add',
  ],
  [
    'a Rust panic',
    `thread 'tokio-runtime-worker' panicked at src/net.rs:42:13:
called \`Option::unwrap()\` on a \`None\` value
stack backtrace:
   0: rust_begin_unwind
             at /rustc/07dca489ac2d933c78d3c5158e3f43beefeb02ce/library/std/src/panicking.rs:645:5
   3: <app::net::Server<T> as app::Run>::handle::{{closure}}
             at ./src/net.rs:42:13
   4: app::main
             at ./src/main.rs:4:5`,
    `rust | panic | called \`Option::unwrap()\` on a \`None\` value
src/net.rs:42
src/net.rs:42 Server.handle
src/main.rs:4 main`,
  ],
  [
    'an older panic, and rustc',
    `thread 'main' panicked at 'index out of bounds', src/main.rs:4:5
error[E0382]: borrow of moved value: \`cart\`
  --> src/cart.rs:7:9`,
    'rust | panic | index out of bounds\nsrc/main.rs:4\nsrc/cart.rs:7',
  ],
  [
    'gcc and its linker',
    `In file included from cart.h:1,
src/cart.c:12:3: error: 'total' undeclared (first use in this function)
/usr/bin/ld: src/main.c:7: undefined reference to \`cart_add'`,
    `c | error | 'total' undeclared (first use in this function)
src/cart.c:12
src/main.c:7`,
  ],
  [
    'AddressSanitizer',
    `==123==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x4f
READ of size 4 at 0x602 thread T0
    #0 0x4f1b in net::Socket::read(char*, int) /src/net/socket.cc:42:7
    #1 0x4f1c in main /src/main.cc:10
    #2 0x7f in __libc_start_main (/lib/libc.so.6+0x2)`,
    `c | AddressSanitizer | heap-use-after-free on address 0x602 at pc 0x4f
/src/net/socket.cc:42 net.Socket.read
/src/main.cc:10 main`,
  ],
  [
    'ThreadSanitizer and UndefinedBehaviorSanitizer',
    `WARNING: ThreadSanitizer: data race (pid=7)
    #0 add_one src/cart.c:12 (prog+0x4)
src/cart.c:9:3: runtime error: signed integer overflow`,
    `c | ThreadSanitizer | data race (pid=7)
src/cart.c:12 add_one
src/cart.c:9`,
  ],
  [
    'gdb',
    `Program received signal SIGSEGV, Segmentation fault.
#0  0x00005555 in cart_add (cart=0x0, n=1) at src/cart.c:12
#1  main () at src/main.c:7`,
    'c | SIGSEGV | Segmentation fault.\nsrc/cart.c:12 cart_add\nsrc/main.c:7 main',
  ],
  [
    'valgrind and assert',
    `==7== Invalid read of size 4
==7==    at 0x401136: cart_add (cart.c:12)
prog: src/cart.c:30: cart_free: Assertion \`cart' failed.`,
    'c | valgrind | Invalid read of size 4\ncart.c:12 cart_add\nsrc/cart.c:30 cart_free',
  ],
  [
    '.NET with an inner exception',
    `Unhandled exception. System.InvalidOperationException: cart is closed
 ---> System.IO.IOException: disk full
   at Shop.Store.Disk..ctor(String path) in /src/Store/Disk.cs:line 7
   --- End of inner exception stack trace ---
   at Shop.Cart.<Add>d__3.MoveNext() in /src/Cart.cs:line 42
   at System.Threading.Tasks.Task.Run()`,
    `csharp | System.InvalidOperationException | cart is closed
/src/Store/Disk.cs:7 Disk.Disk
/src/Cart.cs:42 Cart.Add`,
  ],
  [
    'dotnet build',
    'Cart.cs(12,3): error CS1002: ; expected [/src/Shop.csproj]',
    'csharp | CS1002 | ; expected\nCart.cs:12',
  ],
  [
    'Ruby',
    `app/cart.rb:12:in 'Cart#add': undefined method 'total' for nil (NoMethodError)
	from app/cart.rb:3:in 'block in Cart#each'
	from main.rb:1:in '<main>'`,
    `ruby | NoMethodError | undefined method 'total' for nil
app/cart.rb:12 Cart.add
app/cart.rb:3 Cart.each
main.rb:1`,
  ],
  [
    'a file that the loader of Ruby misses',
    `<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in \`require': cannot load such file -- shop (LoadError)
\tfrom <internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in \`require'
\tfrom main.rb:2:in \`<main>'`,
    `ruby | LoadError | cannot load such file -- shop
<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85 require
main.rb:2`,
  ],
  [
    'minitest',
    `CartTest#test_total:
Errno::ENOENT: No such file or directory @ rb_sysopen - cart.yml
    app/cart.rb:12:in \`total'`,
    'ruby | Errno::ENOENT | No such file or directory @ rb_sysopen - cart.yml\napp/cart.rb:12 total',
  ],
  [
    'RSpec and Rails',
    `  1) Cart adds
     Failure/Error: expect(cart.total).to eq(2)

       expected: 2
     # ./spec/cart_spec.rb:12:in \`block (2 levels) in <top (required)>'`,
    'ruby | Failure | expected: 2\nspec/cart_spec.rb:12',
  ],
  [
    'PHP',
    `PHP Fatal error:  Uncaught App\\CartError: cart is closed in /app/src/Cart.php:42
Stack trace:
#0 /app/src/Shop.php(34): App\\Cart->add('x')
#1 /app/index.php(3): run()
#2 {main}
  thrown in /app/src/Cart.php on line 42`,
    `php | App\\CartError | cart is closed
/app/src/Cart.php:42
/app/src/Shop.php:34 Cart.add
/app/index.php:3 run`,
  ],
  [
    'a call of PHP with a value of the wrong type',
    `PHP Fatal error:  Uncaught TypeError: App\\Cart::add(): Argument #1 ($article) must be of type App\\Article, string given, called in /app/src/Shop.php on line 34 and defined in /app/src/Cart.php:42
Stack trace:
#0 /app/src/Shop.php(34): App\\Cart->add('x')`,
    `php | TypeError | App\\Cart::add(): Argument #1 ($article) must be of type App\\Article, string given, called in /app/src/Shop.php on line 34 and defined
/app/src/Cart.php:42
/app/src/Shop.php:34 Cart.add`,
  ],
  [
    'a warning of PHP in a log of Apache',
    '[Wed May 01 10:00:00.123456 2024] [php:error] [pid 7] [client 10.0.0.1:4711] PHP Warning:  Undefined variable $x in /app/a.php on line 3',
    'php | Warning | Undefined variable $x\n/app/a.php:3',
  ],
  [
    'a warning of PHP in evaluated code',
    "Warning: Undefined variable $x in /app/src/View.php(38) : eval()'d code on line 5",
    'php | Warning | Undefined variable $x\n/app/src/View.php:38',
  ],
];

test.each(CASES)('%s', (_, text, expected) => {
  expect(said(text)).toBe(expected);
});

const JAVA = CASES[0]![1];

test.each([
  '10:00:00.123 [http-nio-8080-exec-1] ERROR com.shop.Cart - ',
  '2024-05-01T10:00:00+00:00 app[web.1]: ',
  'E0501 10:00:00.123456       1 cart.go:12] ',
  'E, [2024-05-01T10:00:00.123456 #77] ERROR -- : ',
  '05-01 10:00:00.123  1234  1234 E AndroidRuntime: ',
  '[Wed May 01 10:00:00.123 2024] [core:error] [pid 7:tid 8] ',
  '##[error]',
  '2024-05-01T10:00:00.123456789Z stderr F ',
])('the prefix %j is no part of the trace', (prefix) => {
  const logged = JAVA.split('\n').map((line) => prefix + line);
  expect(said(logged.join('\n'))).toBe(said(JAVA));
});

/** Lines that almost are frames: a pattern that goes back and forth over them would not end within the test's time. */
test.each(CASES)('a megabyte of near misses of %s is read', (_, text) => {
  const near = text.split('\n').flatMap((line) => {
    const long = line.slice(0, -3).repeat(Math.ceil(900 / (line.length + 1)));
    const doubled = line.replace(/\w(?=\W)/g, '$&$&$&$&');
    return [long, `${line.slice(0, line.length / 2).repeat(20)}!`, doubled];
  });
  const once = `${near.join('\n')}\n`;
  expect(parseTrace(once.repeat(Math.ceil(1e6 / once.length))).lines.length).toBeGreaterThan(100);
});

test('an error of Go that is printed with its stack', () => {
  const text = 'no article\nshop/cart.Add\n\t/srv/shop/cart.go:12\nmain.main\n\t/srv/shop/main.go:5';
  expect(said(text)).toBe('go | null | no article\n/srv/shop/cart.go:12 Add\n/srv/shop/main.go:5 main');
});

test.each<[string, string, string, string]>([
  [
    'PHP in a page',
    '<br />\n<b>Fatal error</b>:  Uncaught LogicException: no article in /srv/src/Cart.php:12\nStack trace:',
    'LogicException',
    '/srv/src/Cart.php',
  ],
  [
    'Loguru',
    'Traceback (most recent call last):\n> File "/srv/shop/cart.py", line 12, in add\n    raise ValueError("no article")\nValueError: no article',
    'ValueError',
    '/srv/shop/cart.py',
  ],
  [
    'Chrome',
    'cart.js:12 Uncaught TypeError: no article\n    at add (https://shop.test/cart.js:12:5)',
    'TypeError',
    '/cart.js',
  ],
  ['Visual C++', 'C:\\shop\\cart.cpp(12): error C2065: no article', 'C2065', 'C:/shop/cart.cpp'],
  ['GoogleTest', 'src/cart_test.cc:12: Failure\nno article', 'Failure', 'src/cart_test.cc'],
  [
    'an assertion on macOS',
    'Assertion failed: no article, function add, file cart.c, line 12.',
    'Assertion',
    'cart.c',
  ],
  [
    'RSpec',
    "     Failure/Error: raise ArgumentError, 'no article'\n\n     ArgumentError:\n       no article\n     # ./lib/cart.rb:12:in `add'",
    'ArgumentError',
    'lib/cart.rb',
  ],
  [
    'PHPUnit',
    'LogicException: no article\n\n/srv/src/Cart.php:12\n/srv/tests/CartTest.php:5',
    'LogicException',
    '/srv/src/Cart.php',
  ],
  [
    'Monolog',
    '[2026-01-01 10:00:00] local.ERROR: no article {"exception":"[object] (LogicException(code: 0): no article at /srv/src/Cart.php:12)\n[stacktrace]\n#0 /srv/app.php(5): Cart->add()',
    'LogicException',
    '/srv/src/Cart.php',
  ],
  [
    "Symfony's console",
    'In Cart.php line 12:\n                    \n  [LogicException]  \n  no article        ',
    'LogicException',
    'Cart.php',
  ],
  [
    'Deno',
    'error: Uncaught (in promise) TypeError: no article\n    at add (file:///srv/cart.ts:12:15)',
    'TypeError',
    '/srv/cart.ts',
  ],
  [
    'IPython',
    'Cell In[3], line 1\n----> 1 cart.add(None)\n\nFile /srv/shop/cart.py:12, in Cart.add(self, article)\n---> 12     raise ValueError("no article")\n\nValueError: no article',
    'ValueError',
    '/srv/shop/cart.py',
  ],
  [
    'Rich',
    '\u2502 /srv/shop/cart.py:12 in add            \u2502\n\u2570\u2500\u2500\u256f\nValueError: no article',
    'ValueError',
    '/srv/shop/cart.py',
  ],
])('%s prints type, message and place', (_, text, type, path) => {
  const { language, errorType, message, frames } = parseTrace(text);
  expect(language).not.toBeNull();
  expect({ errorType, message }).toEqual({ errorType: type, message: 'no article' });
  expect(frames[0]).toMatchObject({ path, line: 12 });
});

test('a value without a stack, which node prints below the line that threw it', () => {
  const text = [
    '/opt/shop/lib/logger.js:14',
    "      throw 'The target must be a file';",
    '      ^',
    'The target must be a file',
    '(Use `node --trace-uncaught ...` to show where the exception was thrown)',
  ].join('\n');
  const { language, message, frames } = parseTrace(text);
  expect({ language, message }).toEqual({ language: 'javascript', message: 'The target must be a file' });
  expect(frames[0]).toMatchObject({ path: '/opt/shop/lib/logger.js', line: 14 });
});
