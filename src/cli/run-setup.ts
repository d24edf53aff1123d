import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usageError } from './arguments.ts';
import type { CommandRun, ExitCode } from './run.ts';
import { listClients, type McpClient } from './setup/clients.ts';
import {
  addServer,
  applyChange,
  readIfPresent,
  removeServer,
  type SettingsChange,
} from './setup/edit-settings.ts';
import { renderSkill } from './setup/skill.ts';

/** Options of `setup`. */
export const SETUP_OPTIONS = ['yes', 'undo'];

/** Agent whose skills lie in the project. */
const SKILL_CLIENT = 'claude-code';

/**
 * Adds this program to the MCP settings of editors and agents, by name or all that are found. Shows what it will write and
 * asks; `--yes` writes without a question, `--undo` takes it back.
 */
export async function runSetup(run: CommandRun): Promise<ExitCode> {
  const { terminal, options } = run;
  const project = resolve(stringOption(run, 'repo') ?? '.');
  const clients = selectClients(listClients(project), run.words);
  const isUndo = options.has('undo');
  const changes = (
    await Promise.all(clients.map((client) => (isUndo ? undo(client, project) : set(client, run, project))))
  )
    .flat()
    .filter(({ before, after }) => before !== after);
  if (changes.length === 0) {
    terminal.print('Nothing to change.');
    return 0;
  }
  for (const change of changes) terminal.print(describeChange(change));
  if (!options.has('yes') && !(await terminal.confirm(`Write ${changes.length} files?`))) {
    terminal.tell('Nothing was written. Add --yes to write without a question.');
    return 1;
  }
  for (const change of changes) await applyChange(change);
  terminal.print(isUndo ? 'Removed.' : 'Written. Restart the editor or agent to load the server.');
  return 0;
}

function selectClients(known: readonly McpClient[], names: readonly string[]): McpClient[] {
  const list = known.map(({ name }) => name).join(', ');
  const wrong = names.find((name) => !known.some((client) => client.name === name));
  if (wrong !== undefined) throw usageError('setup_unknown_client', { name: wrong, list });
  const selected =
    names.length > 0
      ? known.filter(({ name }) => names.includes(name))
      : known.filter(({ sign, file }) => existsSync(sign) || existsSync(file));
  if (selected.length === 0) throw usageError('setup_no_client', { list });
  return selected;
}

async function set(client: McpClient, run: CommandRun, project: string): Promise<SettingsChange[]> {
  const changes = [await addServer(client, serverSettings(client, run, project))];
  if (client.name === SKILL_CLIENT) {
    const file = skillFile(project);
    changes.push({ file, before: await readIfPresent(file), after: renderSkill() });
  }
  return changes;
}

async function undo(client: McpClient, project: string): Promise<SettingsChange[]> {
  const changes = [await removeServer(client)];
  if (client.name === SKILL_CLIENT) {
    const file = skillFile(project);
    changes.push({ file, before: await readIfPresent(file), after: null });
  }
  return changes;
}

const skillFile = (project: string) => join(project, '.claude', 'skills', 'hindsight', 'SKILL.md');

/** A local server over standard input and output, or one over HTTP whose key stays in an environment variable. */
function serverSettings(client: McpClient, run: CommandRun, project: string): object {
  const url = stringOption(run, 'server') ?? run.config.server;
  const type = client.member === 'servers';
  if (url === null) {
    return { ...(type && { type: 'stdio' }), command: 'hindsight', args: ['mcp', '--repo', project] };
  }
  if (client.variable === null) throw usageError('setup_client_is_local', { name: client.name });
  const headers = { Authorization: `Bearer ${client.variable('HINDSIGHT_API_KEY')}` };
  return { ...(type && { type: 'http' }), url: `${url.replace(/\/+$/, '')}/mcp`, headers };
}

function stringOption({ options }: CommandRun, name: string): string | null {
  const value = options.get(name);
  return typeof value === 'string' ? value : null;
}

function describeChange({ file, before, after }: SettingsChange): string {
  if (after === null) return `Delete ${file}`;
  const verb = before === null ? 'Create' : 'Change';
  const body = file.endsWith('.md') ? `  (${after.split('\n').length} lines)` : after.trimEnd();
  return `${verb} ${file}\n${body}\n`;
}
