import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, inject, vi } from 'vitest';
import { type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { accessibilityFaults } from './accessibility.ts';
import { openBrowser, openPage } from './browser.ts';
import { buildLedger } from './ledger.ts';
import { callApi, PASSWORD, type Product, startProduct } from './product.ts';

/** The program with the ledger behind a git server, and a browser in which its user is signed in. */
export interface Workspace {
  repository: TestRepository;
  product: Product;
  browser: Browser;
  page: Page;
  /** Errors of the pages so far. */
  faults: string[];
  /** URL of the ledger at the git server. */
  gitUrl: string;
  /** Calls the API as the user. Throws with the program's words when it refuses. */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Connects the ledger, waits until it is indexed, and returns its id. */
  connect(): Promise<string>;
  untilReady(projectId: string): Promise<void>;
  /** Opens another page of the user. */
  openPage(options: BrowserContextOptions): Promise<{ page: Page; faults: string[] }>;
  /** Waits for a text on the first page. */
  see(text: string | RegExp): Promise<void>;
  /** Records axe violations of the first page; the test goes on. */
  expectAccessible(): Promise<void>;
  close(): Promise<void>;
}

/** Starts it all; `serve` puts the repository behind another git server than the usual one. */
export async function openWorkspace(
  options: {
    settings?: Record<string, string>;
    serve?: (repository: TestRepository) => Promise<{ gitServer: GitServer; gitUrl: string }>;
  } = {},
): Promise<Workspace> {
  const repository = await buildLedger();
  const { gitServer, gitUrl } = await (options.serve ?? serveLedger)(repository);
  const product = await startProduct({ allowedHosts: [gitServer.host], settings: options.settings });
  const browser = await openBrowser(inject('chromium'));
  let token = '';
  const call: Workspace['call'] = (method, path, body) => callApi(product, [method, path], { token, body });
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  token = (await call('POST', '/auth/register', account)).access_token as string;

  const openSignedIn: Workspace['openPage'] = async (contextOptions) => {
    const context = await browser.newContext({
      baseURL: product.url,
      // Colours are judged when nothing moves.
      reducedMotion: 'reduce',
      ...contextOptions,
    });
    await context.addInitScript((value) => localStorage.setItem('access_token', value), token);
    return await openPage(context);
  };
  const untilReady: Workspace['untilReady'] = async (projectId) => {
    const isReady = async () => {
      const { status, activity } = await call('GET', `/projects/${projectId}`);
      return status === 'ready' && activity === null;
    };
    await vi.waitUntil(isReady, { timeout: 90_000 });
  };
  const { page, faults } = await openSignedIn({ viewport: { width: 1440, height: 900 } });
  return {
    repository,
    product,
    browser,
    page,
    faults,
    gitUrl,
    call,
    untilReady,
    openPage: openSignedIn,
    async connect() {
      const { id } = await call('POST', '/projects', { name: 'Ledger', git_url: gitUrl });
      await untilReady(id as string);
      return id as string;
    },
    async see(text) {
      await page.getByText(text).first().waitFor();
    },
    async expectAccessible() {
      expect.soft((await accessibilityFaults(page)).join('\n')).toBe('');
    },
    async close() {
      await browser.close();
      await product.stop();
      await gitServer.close();
      await repository.remove();
    },
  };
}

async function serveLedger(repository: TestRepository): Promise<{ gitServer: GitServer; gitUrl: string }> {
  const gitServer = await serveRepositories(repository.folder);
  return { gitServer, gitUrl: `${gitServer.url}/${repository.name}` };
}
