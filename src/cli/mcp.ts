import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from '#assistant/mcp.ts';
import { AppError } from '#contract/errors.ts';
import type { QuerySource } from './local.ts';

/** Serves the tools over standard input and output until either closes; the repository is indexed at first use. */
export async function serveOverStdio(open: () => Promise<QuerySource>, signal: AbortSignal): Promise<void> {
  let source: Promise<QuerySource> | null = null;
  const server = createMcpServer({
    projects: null,
    proofs: null,
    runTool: async (tool, input) => {
      source ??= open();
      const { use } = await source.catch((error) => {
        source = null;
        throw error;
      });
      if (!use) throw new AppError('bad_request', 'cli_mcp_is_local');
      return await use(tool, input);
    },
  });
  const closed = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve());
    server.server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
