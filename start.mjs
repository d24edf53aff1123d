// Plain JavaScript that Node 18 understands. Builds what a checkout needs, then runs the server with Node 24
// and starts it again when it dies.
//   node start.mjs                 build if needed, start
//   node start.mjs --only-build    build if needed
//   node start.mjs --dev           start beside a vite server that rebuilds the pages as they are edited
import { spawnSync } from 'node:child_process';
import { completeInstall } from './scripts/complete-install.mjs';
import { keepRunning } from './scripts/keep-running.mjs';
import { isCheckout, programFile, serverBundle, spawnNode24, stopWithNpm } from './scripts/node24.mjs';

const OLDEST_GIT = [2, 38];

requireGit();
if (isCheckout) completeInstall();
const dev = process.argv.includes('--dev');
if (!dev && isCheckout) {
  const { buildWebApp } = await import('./scripts/web-app.mjs');
  const { buildServer } = await import('./scripts/server-build.mjs');
  const onlyBuild = process.argv.includes('--only-build');
  const code =
    (await buildWebApp({ strict: Boolean(process.env.CI), sizes: onlyBuild })) || (await buildServer());
  if (code !== 0 || onlyBuild) process.exit(code);
}

const server = keepRunning([dev ? programFile('main') : serverBundle]);
stopWithNpm(() => server.stop('SIGTERM'));
const vite = dev ? startVite() : null;
const code = await server.ended;
vite?.kill();
process.exit(code);

function requireGit() {
  const { stdout } = spawnSync('git', ['--version'], { encoding: 'utf8' });
  const [, major, minor] = (/(\d+)\.(\d+)/.exec(stdout ?? '') ?? []).map(Number);
  const [wantedMajor, wantedMinor] = OLDEST_GIT;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  const found = stdout ? `This is ${stdout.trim()}.` : 'None was found on PATH.';
  console.error(
    `Hindsight needs git ${OLDEST_GIT.join('.')} or newer. ${found} Install it, then start again.`,
  );
  process.exit(1);
}

function startVite() {
  return spawnNode24(['node_modules/vite/bin/vite.js', '--config', 'src/web/vite.config.ts']);
}
