import { expect, test } from 'vitest';
import { isRuntimePath, parsePrintedPath } from './printed-path.ts';

test.each([
  ['/srv/app/node_modules/express/lib/router/index.js', 'express', 'lib/router/index.js'],
  ['/app/node_modules/.pnpm/x@1.0.0/node_modules/@scope/x/dist/a.js', '@scope/x', 'dist/a.js'],
  ['/srv/venv/lib/python3.11/site-packages/click/core.py', 'click', 'click/core.py'],
  ['/root/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go', 'github.com/gin-gonic/gin', 'context.go'],
  [
    '/root/go/pkg/mod/github.com/!burnt!sushi/toml@v1.2.0/decode.go',
    'github.com/BurntSushi/toml',
    'decode.go',
  ],
  ['/srv/app/vendor/github.com/urfave/cli/v3/command.go', 'github.com/urfave/cli/v3', 'command.go'],
  ['vendor/gopkg.in/yaml.v3/decode.go', 'gopkg.in/yaml.v3', 'decode.go'],
  ['/usr/lib/ruby/gems/3.1.0/gems/sinatra-3.0.5/lib/sinatra/base.rb', 'sinatra', 'lib/sinatra/base.rb'],
  [
    '/root/.cargo/registry/src/index.crates.io-6f17d22bba15001f/serde-1.0.190/src/lib.rs',
    'serde',
    'src/lib.rs',
  ],
  ['/usr/lib/ruby/vendor_ruby/tilt/template.rb', 'tilt', 'tilt/template.rb'],
  ['/srv/app/vendor/guzzlehttp/guzzle/src/Client.php', 'guzzlehttp/guzzle', 'src/Client.php'],
  ['/srv/app/src/main.py', null, '/srv/app/src/main.py'],
])('%s', (printed, name, inner) => {
  expect(parsePrintedPath(printed)).toMatchObject({ package: name, inner });
});

test.each([
  'node:events',
  '/usr/lib/python3.11/json/decoder.py',
  'java/util/Objects.java',
  '/usr/local/go/src/net/http/server.go',
  '/usr/lib/go-1.19/src/reflect/value.go',
  'internal/modules/cjs/loader.js:638',
  'internal/poll/fd_unix.go',
])('%s is a runtime', (path) => expect(isRuntimePath(path)).toBe(true));

test('an installed package is no runtime', () => {
  expect(isRuntimePath('/srv/venv/lib/python3.11/site-packages/click/core.py')).toBe(false);
});

test('an internal package of a program is no runtime', () => {
  expect(isRuntimePath('internal/reader/processor/reading_time.go')).toBe(false);
});
