// Plain JavaScript that Node 18 understands. Run by `npm pack`: builds what the package contains.
import { completeInstall } from './complete-install.mjs';
import { exitCode, spawnNode24 } from './node24.mjs';
import { bundleServer } from './server-build.mjs';
import { buildWebApp } from './web-app.mjs';

completeInstall();
const code =
  (await buildWebApp({ strict: Boolean(process.env.CI), sizes: false })) ||
  (await exitCode(spawnNode24(['--no-warnings', 'scripts/compile.mjs'], { stdio: ['inherit', 2, 2] }))) ||
  (await bundleServer('lib/bundle', 'lib'));
process.exit(code);
