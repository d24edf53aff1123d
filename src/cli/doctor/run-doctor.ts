import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '#config.ts';
import { connect } from '#db/connect.ts';
import { withEmbedded } from '#db/embedded.ts';
import { loadSecretKeys } from '#secrets/keys.ts';
import { createLogger } from '#server/http/log.ts';
import { readModelSettings } from '#server/llm/language-model.ts';
import { type Arguments, requireKnownOptions } from '../arguments.ts';
import { type DoctorCheck, ok, runExamination } from './check.ts';
import { dataChecks } from './data-checks.ts';
import { machineChecks } from './machine-checks.ts';
import { serviceChecks } from './service-checks.ts';

const MARKS: Record<DoctorCheck['state'], string> = { ok: 'ok     ', warning: 'warning', failure: 'FAILURE' };

const ADVICE: Record<string, string> = {
  database:
    'DoctorCheck DATABASE_URL and that PostgreSQL runs; without it, that DATA_DIR is readable and the disk has room.',
  git: 'Install git 2.38 or newer.',
  mail: 'DoctorCheck SMTP_URL: host, port, username and password.',
  'object store': 'DoctorCheck OBJECT_STORE_URL and its keys, and that the bucket exists.',
  permissions: 'Give the user of the server all rights on DATA_DIR.',
  disk: 'DoctorCheck that DATA_DIR exists on a mounted disk.',
};

/** `hindsight doctor [--json]`: examines settings, machine, data and services. Returns the exit code: 1 if anything fails. */
export async function runDoctor(args: Arguments, print: (text: string) => void): Promise<0 | 1> {
  requireKnownOptions(args, ['json']);
  const checks: DoctorCheck[] = [];
  const isJson = args.options.has('json');
  const add = (check: DoctorCheck) => {
    checks.push(check);
    if (!isJson) print(formatCheck(check));
  };
  const settings = await runExamination(
    { name: 'settings', run: async () => ok(`Settings are valid, data in ${readConfig().dataDir}`) },
    'See docs/configure.md.',
  );
  add(settings);
  if (settings.state === 'ok') await examine(readConfig(), add);
  const failed = checks.some(({ state }) => state === 'failure');
  if (isJson) print(JSON.stringify({ ok: !failed, checks }, null, 2));
  else print(formatSummary(checks));
  return failed ? 1 : 0;
}

async function examine(config: Config, add: (check: DoctorCheck) => void): Promise<void> {
  const run = async (list: ReturnType<typeof machineChecks>) => {
    for (const examination of list)
      add(await runExamination(examination, ADVICE[examination.name] ?? 'See docs/configure.md.'));
  };
  const isNew = !existsSync(config.dataDir);
  // The first start makes the folder.
  const needsFolder = ['disk', 'permissions'];
  await run(machineChecks(config).filter(({ name }) => !isNew || !needsFolder.includes(name)));
  let readModel = async () => config.model;
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres')))
    add({ name: 'database', ...ok('There is no database yet: the first start creates it') });
  else {
    const check = await runExamination(
      { name: 'database', run: () => withDatabase(config, async (url) => await examineDatabase(url)) },
      ADVICE.database!,
    );
    if (check.state !== 'ok') add(check);
  }
  await run(serviceChecks(config, () => readModel()));

  async function examineDatabase(url: string) {
    const { db, close } = connect(url);
    try {
      await run(dataChecks(config, db));
      const model = await readModelSettings({ db, config, keys: loadSecretKeys(config) }).catch(
        () => config.model,
      );
      readModel = async () => model;
      return ok('');
    } finally {
      await close();
    }
  }
}

async function withDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== null) return await work(config.databaseUrl);
  return await withEmbedded({ dataDir: config.dataDir, log: createLogger({ level: 'silent' }) }, work);
}

function formatCheck({ name, state, text, advice }: DoctorCheck): string {
  const line = `${MARKS[state]}  ${name.padEnd(13)} ${text}`;
  return advice === undefined ? line : `${line}\n${' '.repeat(9 + 14)}→ ${advice}`;
}

function formatSummary(checks: readonly DoctorCheck[]): string {
  const count = (state: DoctorCheck['state']) => checks.filter((check) => check.state === state).length;
  return `\n${count('failure')} failures, ${count('warning')} warnings, ${count('ok')} in order`;
}
