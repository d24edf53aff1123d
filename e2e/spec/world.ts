import type { Browser, BrowserContext } from 'playwright-core';
import { type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { openBrowser } from '../browser.ts';
import { buildLedger, raiseError } from '../ledger.ts';
import { type Product, startProduct } from '../product.ts';
import { type Account, type Caller, createCaller, signUp } from './caller.ts';
import { SAMPLES } from './samples.ts';
import { openShop, type Shop } from './shop.ts';

/**
 * Viewer of a screen: signed out, an account with data, an empty account, two that tests may change, and
 * a user of a server that takes payments.
 */
export type Who = 'visitor' | 'user' | 'newcomer' | 'guest' | 'leaver' | 'buyer';

/** The product with real data in it, all of it made through the product. */
export interface World {
  url: string;
  call: Caller;
  shop: Shop;
  accounts: Record<Exclude<Who, 'visitor'>, Account>;
  /** The address of the ledger, to connect it once more. */
  gitUrl: string;
  /** The indexed ledger project; its files are not edited, so that its newest commit is as old as its others. */
  project: { id: string; name: string };
  /** A project with so many chat messages that they come in pages, and whose files are edited. */
  talkative: { id: string; name: string };
  /** A project with a file for each language of the editor. */
  samples: { id: string; name: string };
  /** Actual output of the failing ledger. */
  error: string;
  /** An answered question, with feedback. */
  session: { id: string; number: number };
  /** The browser of one of them, signed in by the sign-in page. */
  contextOf(who: Who): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** 52 messages: two more than a page. */
const QUESTIONS = 26;

/** Starts the product, signs people up and lets them work with it; leaves nothing running when that fails. */
export async function createWorld(chromium: string): Promise<World> {
  const repository = await buildLedger();
  const gitServer = await serveRepositories(repository.folder);
  const running: (() => Promise<void>)[] = [() => repository.remove(), () => gitServer.close()];
  const close = async () => {
    for (const end of running.reverse()) await end();
  };
  try {
    const product = await startProduct({ allowedHosts: [gitServer.host] });
    running.push(() => product.stop());
    const shop = await openShop();
    running.push(() => shop.close());
    const browser = await openBrowser(chromium);
    running.push(() => browser.close());
    return { ...(await settle({ product, shop, browser, gitServer, repository })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Running {
  product: Product;
  shop: Shop;
  browser: Browser;
  gitServer: GitServer;
  repository: TestRepository;
}

async function settle(running: Running): Promise<Omit<World, 'close'>> {
  const { product, shop, gitServer, repository } = running;
  const call = createCaller(product.url);
  const accounts = {
    user: await signUp(call, 'ada'),
    newcomer: await signUp(call, 'nadia'),
    guest: await signUp(call, 'gus'),
    leaver: await signUp(call, 'lea'),
    buyer: await signUp(shop.call, 'bea'),
  };
  const error = await raiseError(repository);
  return {
    url: product.url,
    call,
    shop,
    accounts,
    gitUrl: `${gitServer.url}/${repository.name}`,
    error,
    ...(await work({ call, ada: accounts.user, gitServer, repository, error })),
    contextOf: signedInContexts(running, accounts),
  };
}

interface Workplace {
  call: Caller;
  ada: Account;
  gitServer: GitServer;
  repository: TestRepository;
  error: string;
}

/** Four projects, one of them failed; an answer with feedback; a long chat. */
async function work({ call, ada, gitServer, repository, error }: Workplace) {
  const connect = async (name: string, git_url: string) => {
    const description = `${name} adds up amounts.`;
    const { body } = await call<{ id: string }>('POST /projects', {
      as: ada,
      body: { name, git_url, description },
    });
    return await settled(call, ada, body.id);
  };
  const gitUrl = `${gitServer.url}/${repository.name}`;
  await connect('Missing', `${gitServer.url}/missing.git`);
  const samples = await connect('Abacus', gitUrl);
  const talkative = await connect('Talkative', gitUrl);
  const project = await connect('Ledger', gitUrl);

  // The third report of the same error has two earlier solutions.
  const question = { error_message: error, project_id: project.id };
  await ask(call, ada, question);
  await ask(call, ada, question);
  const session = await ask(call, ada, question);
  for (let number = 1; number <= QUESTIONS; number += 1) {
    await call('POST /chat/projects/:id/messages', {
      as: ada,
      params: { id: talkative.id },
      body: { message: `Question ${number}: who wrote src/total.js?`, project_id: talkative.id },
    });
  }
  for (const path of SAMPLES) {
    await call('POST /ide/projects/:id/files/*', {
      as: ada,
      params: { id: samples.id, '*': path },
      body: { content: '\n' },
    });
  }
  return { project, talkative, samples, session };
}

/** Asks about an error and rates the answer helpful. */
async function ask(call: Caller, as: Account, body: { error_message: string; project_id: string }) {
  const { body: session } = await call<{ id: string; number: number }>('POST /debug', { as, body });
  await call('POST /history/feedback', {
    as,
    body: { debug_query_id: session.id, helpful: true, comments: 'Solution was helpful' },
  });
  return session;
}

/** Waits until a project is ready or has failed. */
async function settled(call: Caller, as: Account, id: string): Promise<{ id: string; name: string }> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { body } = await call<{ id: string; name: string; status: string }>('GET /projects/:id', {
      as,
      params: { id },
    });
    if (body.status === 'ready' || body.status === 'failed') return body;
    await new Promise((after) => setTimeout(after, 200));
  }
  throw new Error(`The project ${id} was not settled in time.`);
}

function signedInContexts({ browser, product, shop }: Running, accounts: World['accounts']) {
  const contexts = new Map<Who, Promise<BrowserContext>>();
  const open = async (who: Who) => {
    const baseURL = who === 'buyer' ? shop.url : product.url;
    const context = await browser.newContext({
      baseURL,
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      locale: 'en-US',
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseURL });
    if (who !== 'visitor') await signIn(context, accounts[who]);
    return context;
  };
  return (who: Who) => {
    const context = contexts.get(who) ?? open(who);
    contexts.set(who, context);
    return context;
  };
}

/** Signs in by the page, as people do. */
async function signIn(context: BrowserContext, { email, password }: Account): Promise<void> {
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel(/email/i).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page.close();
}
