import { expect, test } from 'vitest';
import { resolveImport } from './imports.ts';

// Each row: language, importing file, module, what exists (the expected path first, or `-`).
const ROWS = `
typescript  src/a/x.ts              ./y.ts                  src/a/y.ts
typescript  src/a/x.ts              ../b/y.js               src/b/y.ts
typescript  src/a/x.ts              ./y                     src/a/y/index.ts
typescript  src/a/x.ts              .                       src/a/index.ts
tsx         app/pages/x.tsx         ~/models/User           app/models/User.ts
vue         web/src/x.vue           @/parts/y.vue           web/src/parts/y.vue
typescript  packages/a/src/x.ts     @vue/shared             packages/shared/src/index.ts
javascript  lib/x.js                fs                      -
javascript  lib/x.js                ./x.js                  -                        lib/x.js
javascript  x.js                    ../../etc/passwd        -                        ../../etc/passwd
python      src/pkg/sub/x.py        ..other.mod             src/pkg/other/mod.py
python      src/pkg/sub/x.py        .                       src/pkg/sub/__init__.py
python      tests/test_x.py         pkg.mod                 src/pkg/mod.py
python      pkg/x.py                pkg.sub                 pkg/sub/__init__.py
python      pkg/x.py                os.path                 -
c           builtin/add.c           cache.h                 cache.h
c           src/x.c                 lib/y.h                 include/lib/y.h
go          core/x/x.go             github.com/a/b/core/y   core/y
go          x.go                    google.org/grpc/codes   codes
go          x.go                    fmt                     -                        fmt
rust        a/src/net/tcp.rs        crate::io::Read         a/src/io.rs
rust        a/src/net/mod.rs        self::tcp               a/src/net/tcp.rs
rust        a/src/net/tcp.rs        super::udp::Socket      a/src/net/udp.rs
rust        a/src/x.rs              b_c::sync::mpsc         b-c/src/sync/mpsc/mod.rs
rust        a/src/x.rs              std::io                 -
java        src/test/java/p/T.java  p.q.Cart                src/main/java/p/q/Cart.java
java        src/main/java/p/A.java  p.q.Cart.make           src/main/java/p/q/Cart.java
java        src/main/java/p/A.java  p.q.*                   src/main/java/p/q
kotlin      src/main/kotlin/p/A.kt  p.B                     src/main/kotlin/p/B.kt
php         app/Http/X.php          App\\Models\\User       app/Models/User.php
php         web/x.php               ./y.php                 web/y.php
ruby        lib/a/x.rb              a/y                     lib/a/y.rb
ruby        lib/a/x.rb              ../b                    lib/b.rb
scss        styles/x.scss           parts/y                 styles/parts/_y.scss
dart        lib/x.dart              package:app/a/y.dart    lib/a/y.dart
perl        perl/Git/X.pm           Git::Y                  perl/Git/Y.pm
lua         src/x.lua               a.b                     src/a/b.lua
shell       t/x.sh                  ./lib.sh                t/lib.sh
csharp      a/X.cs                  System.Text             -
__proto__   a                       b                       -                        b
`;

const rows = ROWS.trim()
  .split('\n')
  .map((row) => row.split(/ {2,}/) as [string, string, string, string, string?]);

test.each(rows)('%s: %s imports %s, which is %s', (language, from, module, expected, other) => {
  const exists = new Set([expected, other, 'a/src/main.rs']);
  const found = resolveImport(language, from, module, (path) => exists.has(path));
  expect(found ?? '-').toBe(expected);
});
