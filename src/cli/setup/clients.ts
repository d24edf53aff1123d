import { homedir } from 'node:os';
import { join } from 'node:path';

/** An editor or agent that reads MCP servers from a JSON file. */
export interface McpClient {
  name: string;
  /** Settings file: of the project, or of the user. */
  file: string;
  /** Member that holds the servers by name. */
  member: 'mcpServers' | 'servers';
  /** Folder or file whose presence shows that the client is used. */
  sign: string;
  /** Notation of an environment variable in the file; null where the client reads local servers only. */
  variable: ((name: string) => string) | null;
}

/** Lists the known clients with their files for a project. */
export function listClients(
  project: string,
  { home = homedir(), platform = process.platform } = {},
): McpClient[] {
  const inProject = (...parts: string[]) => join(project, ...parts);
  const servers = 'mcpServers';
  const desktop = join(appDataFolder(home, platform), 'Claude');
  return [
    {
      ...{ name: 'claude-code', file: inProject('.mcp.json'), member: servers, sign: inProject('.claude') },
      variable: (name) => `\${${name}}`,
    },
    {
      ...{
        name: 'cursor',
        file: inProject('.cursor', 'mcp.json'),
        member: servers,
        sign: inProject('.cursor'),
      },
      variable: (name) => `\${env:${name}}`,
    },
    {
      ...{
        name: 'vscode',
        file: inProject('.vscode', 'mcp.json'),
        member: 'servers',
        sign: inProject('.vscode'),
      },
      variable: (name) => `\${env:${name}}`,
    },
    {
      ...{ name: 'gemini-cli', file: inProject('.gemini', 'settings.json'), member: servers },
      ...{ sign: inProject('.gemini'), variable: (name: string) => `$${name}` },
    },
    {
      ...{ name: 'claude-desktop', file: join(desktop, 'claude_desktop_config.json'), member: servers },
      ...{ sign: desktop, variable: null },
    },
    {
      ...{ name: 'windsurf', file: join(home, '.codeium', 'windsurf', 'mcp_config.json'), member: servers },
      ...{ sign: join(home, '.codeium', 'windsurf'), variable: null },
    },
  ];
}

function appDataFolder(home: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return join(home, 'AppData', 'Roaming');
  return join(home, '.config');
}
