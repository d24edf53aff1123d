import { expect, test } from 'vitest';
import { parseTrace } from '../trace/read-trace.ts';
import { findEnvironmentFault, findRuntimeVersions } from './environment-facts.ts';

test.each([
  ['Error: listen EADDRINUSE: address already in use 127.0.0.1:3000', 'port'],
  ['OSError: [Errno 28] No space left on device', 'disk'],
  ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', 'memory'],
  ['TypeError: Unknown file extension ".ts" for /srv/shop/main.ts', 'runtime'],
  ['TypeError: util.log is not a function', 'runtime'],
  ["AttributeError: module 'numpy' has no attribute 'float'", 'runtime'],
  ['./shop.sh: 4: shopt: not found', 'runtime'],
  ['lua: old.luac: bad binary format (version mismatch)', 'runtime'],
  ['make: cc: No such file or directory', 'module'],
  ['Mail error: failed to connect to the host smtp.example.org', 'network'],
  [
    'sh: 1: /usr/sbin/mailer: not found\nPHP Fatal error:  Uncaught MailError: not sent in /srv/mail.php:3\nStack trace:\n#0 /srv/index.php(2): send()',
    'module',
  ],
  ["/usr/bin/env: 'ruby': No such file or directory", 'module'],
  ['ERROR: Shop requires the xmlwriter and SimpleXML extensions to be enabled.', 'module'],
  ["PermissionError: [Errno 13] Permission denied: '/etc/shadow'", 'permission'],
  ["ModuleNotFoundError: No module named 'yaml'", 'module'],
  ["Error: Cannot find module 'express'", 'module'],
  ['java.lang.UnsupportedClassVersionError: A has been compiled by a more recent version', 'runtime'],
  ["UnicodeEncodeError: 'ascii' codec can't encode character '\\xe9' in position 1", 'encoding'],
  ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'network'],
  ["Error: ENOENT: no such file or directory, open 'a.txt'", 'file'],
  ['/bin/sh: ./tool: cannot execute binary file: Exec format error', 'platform'],
  ['java.lang.NoSuchMethodError: com.acme.Shop.open()V', 'module'],
  ['exec: "git": executable file not found in $PATH', 'module'],
  ['Command failed with status (127): [inkscape --export icon.svg]', 'module'],
  ['RuntimeException: cache file directory `/srv/var/cache` is not writable', 'permission'],
  ['System.IO.IOException: There is not enough space on the disk.', 'disk'],
  ['numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array', 'memory'],
  ['Worker exited with code 137', 'memory'],
  ['RuntimeException: Unable to create the cache directory (/srv/var/cache/prod).', 'permission'],
  ['cp: der Zugriff ist nicht möglich: Keine Berechtigung', 'permission'],
  ['error acme@1.0.0: The engine "node" is incompatible with this module.', 'runtime'],
  ['error: invalid target release: 17', 'runtime'],
  ['note: module requires Go 1.21', 'runtime'],
  ['_tkinter.TclError: no display name and no $DISPLAY environment variable', 'platform'],
  ['java.sql.SQLException: No suitable driver found for jdbc:postgresql://db/x', 'module'],
  ["error[E0463]: can't find crate for `serde`", 'module'],
  ["'make' is not recognized as an internal or external command,", 'module'],
  ['ERROR: Could not find a version that satisfies the requirement acme==9.9', 'module'],
  ['CMake Error: Could NOT find ZLIB (missing: ZLIB_LIBRARY ZLIB_INCLUDE_DIR)', 'module'],
  ['error: unmappable character (0xC3) for encoding US-ASCII', 'encoding'],
  ['x509: certificate signed by unknown authority', 'network'],
  ['java.net.SocketTimeoutException: connect timed out', 'network'],
  ['FileNotFoundError: [WinError 3] The system cannot find the path specified', 'file'],
  ['ls: impossible: Aucun fichier ou dossier de ce type', 'file'],
  ['thread main panicked: Os { code: 13, kind: PermissionDenied }', 'permission'],
  ['RuntimeException: The mbstring extension is not loaded', 'module'],
  ['main.go:3:2: package slices is not in GOROOT (/usr/lib/go-1.19/src/slices)', 'module'],
  ['Fatal error: Uncaught Error: Call to undefined function mb_strlen() in /srv/a.php:3', 'module'],
  ['RuntimeException: shop requires cURL or the allow_url_fopen ini setting', 'module'],
  ['dial tcp: lookup proxy.golang.org on 10.0.0.53:53: no such host', 'network'],
  [
    `Traceback (most recent call last):
  File "/srv/shop/rows.py", line 3, in Row
    names: list[str] = []
TypeError: 'type' object is not subscriptable`,
    'runtime',
  ],
  ['SyntaxError: future feature annotations is not defined', 'runtime'],
  ["lua: cart.lua:3: attempt to call a nil value (global 'setfenv')", 'runtime'],
  ['sed: illegal option -- r', 'runtime'],
  ['error: release version 17 not supported', 'runtime'],
  ["lua: cart.lua:1: module 'lfs' not found:", 'module'],
  ['Error: the rows need Text::CSV, but Text::CSV is not installed', 'module'],
  ["error loading module 'lfs' from file '/usr/lib/lfs.so'", 'module'],
  ['unknown time zone Europe/Berlin', 'module'],
  ['shop: write error on /dev/full', 'disk'],
  ['Stale file handle', 'disk'],
  ['sqlite3.OperationalError: attempt to write a readonly database', 'permission'],
  ['FATAL: password authentication failed for user "shop"', 'permission'],
  ['Error opening terminal: xterm-256color.', 'platform'],
  ['net/http: TLS handshake timeout', 'network'],
  ["Error: Cannot find module 'node:sqlite'", 'runtime'],
  ["AttributeError: module 'collections' has no attribute 'Mapping'", 'runtime'],
  ["ModuleNotFoundError: No module named 'distutils'", 'runtime'],
  ["a.rb:3:in `<main>': undefined method `exists?' for File:Class (NoMethodError)", 'runtime'],
  ['ReferenceError: primordials is not defined', 'runtime'],
  ['Fatal error: Uncaught Error: Call to undefined function create_function() in /srv/a.php:3', 'runtime'],
  ['go: go.mod file not found in current directory or any parent directory', 'runtime'],
  ['Perl v5.36.0 required--this is only v5.30.0, stopped at shop.pl line 1.', 'runtime'],
  [
    'Fatal error: Declaration of Shop\\Log::info($m): void must be compatible with Psr\\Log::info($m) in /srv/vendor/acme/shop/src/Log.php on line 6',
    'module',
  ],
])('%s', (text, fact) => expect(findEnvironmentFault(parseTrace(text))?.fact).toBe(fact));

test.each([
  "Error: Cannot find module './router'",
  'Error: the "Acme" theme is not installed.',
  "TypeError: Cannot read properties of undefined (reading 'port')",
  'ValueError: the file name must not be empty',
  "RuntimeError: Cannot create file '/srv/report.txt'. A file already exists with that name.",
  "AttributeError: module 'collections' has no attribute 'Basket'",
  `Traceback (most recent call last):
  File "/srv/shop/rows.py", line 3, in read
    return Row[0]
TypeError: 'type' object is not subscriptable`,
  'jinja2.exceptions.TemplateNotFound: cart.html',
  `Traceback (most recent call last):
  File "/srv/shop/label.py", line 7, in read
    return label.decode(codec)
UnicodeDecodeError: 'ascii' codec can't decode byte 0x89 in position 0`,
  'Fatal error: Declaration of App\\Log::info($m): void must be compatible with Shop\\Log::info($m) in /srv/src/Log.php on line 6',
])('%s names no fault of the environment', (text) =>
  expect(findEnvironmentFault(parseTrace(text))).toBeNull(),
);

test('runtime versions are read from banners and paths', () => {
  expect(findRuntimeVersions('TypeError: x\n\nNode.js v20.20.2')).toEqual([
    { name: 'node', version: '20.20.2' },
  ]);
  expect(
    findRuntimeVersions('  File "/srv/venv/lib/python3.6/site-packages/attr/__init__.py", line 8'),
  ).toEqual([{ name: 'python', version: '3.6' }]);
});
