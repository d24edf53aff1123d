import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { McpClient } from './clients.ts';

/** Name of the server in the files of clients. */
const SERVER_NAME = 'hindsight';
const MAX_BYTES = 2 ** 20;

/** A file and what it is to contain; null to delete it. */
export interface SettingsChange {
  file: string;
  before: string | null;
  after: string | null;
}

/** Returns the settings of a client with an MCP server added or replaced, everything else as it is. */
export async function addServer({ file, member }: McpClient, server: object): Promise<SettingsChange> {
  const before = await readIfPresent(file);
  const settings = parseSettings(file, before);
  const servers = readServers(file, settings[member]);
  const after = { ...settings, [member]: { ...servers, [SERVER_NAME]: server } };
  return { file, before, after: `${JSON.stringify(after, null, 2)}\n` };
}

/** Returns the settings of a client without the server; the file goes when nothing else is in it. */
export async function removeServer({ file, member }: McpClient): Promise<SettingsChange> {
  const before = await readIfPresent(file);
  const settings = parseSettings(file, before);
  const { [SERVER_NAME]: ours, ...servers } = readServers(file, settings[member]);
  if (ours === undefined) return { file, before, after: before };
  const { [member]: _, ...others } = settings;
  const left = Object.keys(servers).length > 0 ? { ...settings, [member]: servers } : others;
  const isEmpty = Object.keys(left).length === 0;
  return { file, before, after: isEmpty ? null : `${JSON.stringify(left, null, 2)}\n` };
}

/** Writes a change, aside and then renamed. */
export async function applyChange({ file, after }: SettingsChange): Promise<void> {
  if (after === null) return await rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, after, { flag: 'wx' });
  await rename(aside, file);
}

/** Reads a file; null where there is none. */
export async function readIfPresent(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  if (!found.isFile() || found.size > MAX_BYTES) throw unreadable(file);
  return await readFile(file, 'utf8');
}

/** Throws `invalid_input` for a file with comments or errors, which writing would lose. */
function parseSettings(file: string, text: string | null): Record<string, unknown> {
  if (text === null || text.trim() === '') return {};
  try {
    const settings: unknown = JSON.parse(text);
    if (isObject(settings)) return settings;
  } catch {
    // Reported below.
  }
  throw unreadable(file);
}

function readServers(file: string, servers: unknown): Record<string, unknown> {
  if (servers === undefined) return {};
  if (!isObject(servers)) throw unreadable(file);
  return servers;
}

/** The error of a file that cannot be changed without a loss. */
function unreadable(file: string): AppError {
  return new AppError('invalid_input', 'setup_file_unreadable', { params: { file } });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
