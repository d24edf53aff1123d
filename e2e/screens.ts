import type { Page } from 'playwright-core';
import type { Who, World } from './spec/world.ts';

/** A screen, or a panel of one, in the states in which it is drawn. */
export interface Shot {
  name: string;
  address: string;
  /** `full` is a person with projects, answers and chats; `empty` one without anything; `shop` takes payments. */
  states: State[];
  /** The calls that `loading` holds and `error` fails: by default all but those that say who is signed in. */
  calls?: RegExp;
  /** Opens what is drawn, where the address alone does not. */
  open?: (page: Page) => Promise<unknown>;
}

/** States of a screen: signed-in user, and fate of API calls. */
export const STATES = {
  visitor: { who: 'visitor', calls: 'answered' },
  full: { who: 'user', calls: 'answered' },
  empty: { who: 'newcomer', calls: 'answered' },
  loading: { who: 'user', calls: 'held' },
  error: { who: 'user', calls: 'failed' },
  shop: { who: 'buyer', calls: 'answered' },
} as const satisfies Record<string, { who: Who; calls: 'answered' | 'held' | 'failed' }>;

export type State = keyof typeof STATES;

const EVERY_STATE: State[] = ['full', 'empty', 'loading', 'error'];
const ONE_PROJECT: State[] = ['full', 'loading', 'error'];
const WITHOUT_ANSWER: State[] = ['loading', 'error'];

const SITE = [
  ...['about', 'careers', 'blog', 'features', 'pricing', 'docs'],
  ...['privacy-policy', 'terms-and-conditions', 'refund-and-cancellation'],
];

/** Every screen: those of visitors, of an account, of a project, then what opens over them. */
export async function shotsOf(world: World): Promise<Shot[]> {
  return [...visitorShots(), ...accountShots(world), ...(await projectShots(world)), ...openedShots(world)];
}

function visitorShots(): Shot[] {
  const forms = ['login', 'signup', 'forgot-password', 'reset-password', 'verify-email'];
  return [
    { name: 'landing', address: '/', states: ['visitor'] },
    ...[...forms, 'invitation', 'how-to-use', 'subscription', ...SITE, 'no-such-page'].map(
      (name): Shot => ({ name, address: `/${name}`, states: ['visitor'] }),
    ),
  ];
}

function accountShots({ samples }: World): Shot[] {
  const profile = /\/api\/auth\/me/;
  return [
    { name: 'home', address: '/', states: EVERY_STATE },
    ...['dashboard', 'projects', 'debug', 'history', 'notifications'].map(
      (name): Shot => ({ name, address: `/${name}`, states: EVERY_STATE }),
    ),
    { name: 'my-profile', address: '/profile', states: ONE_PROJECT, calls: profile },
    { name: 'my-settings', address: '/settings', states: ONE_PROJECT, calls: profile },
    { name: 'sign-ins', address: '/settings', states: WITHOUT_ANSWER, calls: /\/auth\/sessions/ },
    ...['users', 'signup', 'projects', 'jobs', 'model', 'egress', 'server'].map(
      (tab): Shot => ({
        name: `admin-${tab}`,
        address: `/admin?tab=${tab}`,
        states: ONE_PROJECT,
        calls: /\/(admin\/|auth\/setup)/,
      }),
    ),
    { name: 'two-factor', address: '/settings', states: WITHOUT_ANSWER, calls: /\/auth\/two-factor/ },
    { name: 'my-subscription', address: '/subscription', states: [...ONE_PROJECT, 'shop'] },
    { name: 'feedback', address: '/history?tab=feedback', states: ONE_PROJECT, calls: /\/feedback\// },
    { name: 'feedback-none', address: `/history?project_id=${samples.id}&tab=feedback`, states: ['full'] },
  ];
}

async function projectShots({ project, talkative, session, call, accounts }: World): Promise<Shot[]> {
  const { body } = await call('GET /projects/:id/commits', { as: accounts.user, params: { id: project.id } });
  const { body: projects } = await call('GET /projects', { as: accounts.user });
  const failed = projects.find(({ status }: { status: string }) => status === 'failed');
  const [page, commits, messages] = [`/projects/${project.id}`, /\/commits/, /\/chat\//];
  const ide = `/ide/${project.id}`;
  return [
    { name: 'project', address: page, states: ONE_PROJECT },
    {
      name: 'project-settings',
      address: page,
      states: ONE_PROJECT,
      calls: /\/(?:members|credential)$/,
      open: (shown) => shown.getByRole('tab', { name: 'Settings' }).click(),
    },
    { name: 'project-failed', address: `/projects/${failed.id}`, states: ['full'] },
    { name: 'commits', address: page, states: WITHOUT_ANSWER, calls: commits },
    {
      name: 'commit',
      address: `${page}/commits/${body.commits[0].hash}`,
      states: ONE_PROJECT,
      calls: commits,
    },
    { name: 'file', address: `${page}/files/src/total.js`, states: ONE_PROJECT, calls: /\/files\// },
    { name: 'search', address: `/search?q=amount&project_id=${project.id}`, states: EVERY_STATE },
    {
      name: 'search-history',
      address: `/search?q=amount&project_id=${project.id}&view=history`,
      states: EVERY_STATE,
    },
    {
      name: 'search-lines',
      address: `/search?q=amount&project_id=${project.id}&view=lines`,
      states: EVERY_STATE,
    },
    { name: 'search-none', address: `/search?q=zzzz&project_id=${project.id}`, states: ['full'] },
    { name: 'found', address: `/search?q=amount`, states: WITHOUT_ANSWER, calls: /\/api\/search/ },
    { name: 'chat', address: `/projects/${talkative.id}/chat`, states: ONE_PROJECT },
    { name: 'chat-empty', address: `${page}/chat`, states: ['full'] },
    { name: 'messages', address: `${page}/chat`, states: WITHOUT_ANSWER, calls: messages },
    { name: 'answer', address: `/debug/${session.id}`, states: ONE_PROJECT },
    { name: 'ide', address: ide, states: ONE_PROJECT },
    { name: 'ide-files', address: ide, states: WITHOUT_ANSWER, calls: /\/files/ },
    { name: 'ide-file', address: `${ide}?file=src/total.js`, states: ONE_PROJECT, calls: /\/files\// },
  ];
}

function openedShots({ project, talkative, session }: World): Shot[] {
  const page = `/projects/${project.id}`;
  return [
    {
      name: 'bell',
      address: '/dashboard',
      states: EVERY_STATE,
      calls: /\/unread-count/,
      open: (shown) => shown.locator('header a[href="/notifications"]').focus(),
    },
    {
      name: 'suggestions',
      address: '/dashboard',
      states: EVERY_STATE,
      calls: /\/api\/search/,
      open: (shown) => shown.getByRole('combobox').fill('amount'),
    },
    {
      name: 'evidence',
      address: `/debug/${session.id}`,
      states: ONE_PROJECT,
      calls: /\/(commits|files)\//,
      open: (shown) => shown.locator('main a[href*="/commits/"]').first().click(),
    },
    {
      name: 'summaries',
      address: `/projects/${talkative.id}/chat`,
      states: ONE_PROJECT,
      calls: /\/summaries/,
      open: (shown) => shown.getByRole('group').locator('summary').click(),
    },
    {
      name: 'sales',
      address: '/subscription',
      states: ONE_PROJECT,
      calls: /\/plans/,
      open: press('Contact sales'),
    },
    {
      name: 'two-factor-begin',
      address: '/settings',
      states: ['full'],
      open: press('Enable two-factor authentication'),
    },
    {
      name: 'two-factor-key',
      address: '/settings',
      states: ['full'],
      open: async (shown) => {
        await press('Enable two-factor authentication')(shown);
        await press('Continue')(shown);
      },
    },
    { name: 'delete-account', address: '/settings', states: ['full'], open: press('Delete your account') },
    { name: 'add-project', address: '/projects', states: ['full'], open: press('Add Project') },
    { name: 'delete-project', address: page, states: ['full'], open: press('Delete project') },
    {
      name: 'clear-chat',
      address: `/projects/${talkative.id}/chat`,
      states: ['full'],
      open: press('Clear Chat'),
    },
    {
      name: 'chats',
      address: `/projects/${talkative.id}/chat`,
      states: ONE_PROJECT,
      calls: /\/threads/,
      open: (shown) => shown.getByTitle('Chats').click(),
    },
    {
      name: 'chat-attach',
      address: `/projects/${talkative.id}/chat`,
      states: ['full'],
      open: (shown) => shown.getByRole('textbox').fill('Why is @a'),
    },
    {
      name: 'chat-menu',
      address: `/projects/${talkative.id}/chat`,
      states: ['full'],
      open: press('Chat actions'),
    },
    {
      name: 'chat-tab',
      address: page,
      states: ['full'],
      open: (shown) => shown.getByRole('tab', { name: 'Chat' }).click(),
    },
    {
      name: 'ide-tab',
      address: page,
      states: ['full'],
      open: (shown) => shown.getByRole('tab', { name: 'IDE' }).click(),
    },
  ];
}

function press(name: string): NonNullable<Shot['open']> {
  return (page) => page.getByRole('button', { name }).first().click();
}
