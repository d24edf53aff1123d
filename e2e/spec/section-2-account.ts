import { expect } from 'vitest';
import { PASSWORD } from '../product.ts';
import {
  all,
  answered,
  at,
  checked,
  choose,
  chosen,
  click,
  enabled,
  exists,
  fill,
  forget,
  has,
  hasStoredToken,
  holds,
  inWorld,
  leads,
  open,
  reads,
  reload,
  see,
  sends,
  tick,
  unseen,
} from './checks.ts';
import type { Screen } from './row.ts';
import { button, checkbox, css, field, heading, link, role, text, within } from './targets.ts';

const main = css('main');

/** Section 2, Login and Signup. */
export const entrance: Screen[] = [
  {
    section: 2,
    title: 'Login',
    as: 'visitor',
    open: '/login',
    ready: button('Sign in'),
    rows: [
      { what: 'email', check: see(field(/^Email/)) },
      { what: 'password', check: has(field('Password'), 'type', 'password') },
      {
        what: 'show the password',
        check: all(click(button('Show password')), has(field('Password'), 'type', 'text')),
      },
      {
        what: 'hide the password',
        check: all(click(button('Hide password')), has(field('Password'), 'type', 'password')),
      },
      { what: 'remember me', check: see(checkbox(/Remember me/i)) },
      {
        what: 'Forgot your password',
        decision: '0022-working-controls',
        check: leads(link(/Forgot your password/), /^\/forgot-password/),
      },
      { what: 'GitHub', decision: '0022-working-controls', check: see(button(/GitHub/)) },
      { what: 'Google', decision: '0022-working-controls', check: see(button(/Google/)) },
      {
        what: 'social buttons that are not configured say so',
        decision: '0022-working-controls',
        check: async (page) => {
          const github = page.getByRole('button', { name: /GitHub/ }).first();
          const words = await github.evaluate((element) => {
            const described = element.getAttribute('aria-describedby');
            const hint = described ? element.ownerDocument.getElementById(described)?.textContent : '';
            return `${element.textContent} ${element.getAttribute('title')} ${element.ariaLabel} ${hint}`;
          });
          if (!words.includes('Not set up on this server')) throw new Error(words);
        },
      },
      { what: 'the way to sign up', check: leads(within(main, link(/create|sign up/i)), /^\/signup/) },
      {
        what: 'a wrong pair is explained, and stays on the page',
        section: 4,
        decision: '0005-status-codes-decide',
        check: all(
          fill(field(/^Email/), 'ada@example.org'),
          fill(field('Password'), 'not this one'),
          click(button('Sign in')),
          see(text('Wrong email, username or password.')),
          at('/login'),
        ),
      },
      {
        what: 'the submit label becomes Signing in...',
        check: all(
          answered(/\/api\/auth\/login/, { afterMs: 1_500 }),
          inWorld(({ accounts }) => fill(field('Password'), accounts.user.password)),
          click(button('Sign in')),
          see(text('Signing in...')),
        ),
      },
      {
        what: 'success goes to /',
        check: all(at('/'), forget),
      },
    ],
  },
  {
    section: 2,
    title: 'Signup',
    as: 'visitor',
    open: '/signup',
    ready: button('Create account'),
    rows: [
      { what: 'username', check: see(field('Username')) },
      { what: 'email', check: has(field('Email'), 'type', 'email') },
      { what: 'password', check: has(field('Password'), 'type', 'password') },
      {
        what: 'the password can be shown',
        check: all(click(button('Show password')), has(field('Password'), 'type', 'text')),
      },
      { what: 'terms', check: see(checkbox(/terms/i)) },
      {
        what: 'all fields are required',
        section: 5,
        check: all(
          click(button('Create account')),
          has(field('Username'), 'aria-invalid', 'true'),
          at('/signup'),
        ),
      },
      { what: 'the email is required', section: 5, check: has(field('Email'), 'aria-invalid', 'true') },
      { what: 'the password is required', section: 5, check: has(field('Password'), 'aria-invalid', 'true') },
      { what: 'the terms are required', section: 5, check: has(checkbox(/terms/i), 'aria-invalid', 'true') },
      {
        what: 'the email has the form of one',
        section: 5,
        check: all(fill(field('Email'), 'nobody'), has(field('Email'), 'aria-invalid', 'true')),
      },
      {
        what: 'passwords have 8 to 128 characters',
        section: 5,
        decision: '0023-username-and-password-rules',
        check: all(fill(field('Password'), 'seven77'), see(text(/8 to 128 characters/i))),
      },
      {
        what: 'the submit label becomes Creating account...',
        check: all(
          answered(/\/api\/auth\/register/, { afterMs: 1_500 }),
          fill(field('Username'), 'newbie'),
          fill(field('Email'), 'newbie@example.org'),
          fill(field('Password'), PASSWORD),
          tick(checkbox(/terms/i)),
          click(button('Create account')),
          see(text('Creating account...')),
        ),
      },
      {
        what: 'success goes to /',
        check: all(at('/'), forget),
      },
    ],
  },
  {
    section: 2,
    title: 'Forgot password',
    as: 'visitor',
    open: '/forgot-password',
    ready: heading(),
    rows: [
      {
        what: 'an unknown address gets the same words',
        decision: '0022-working-controls',
        check: all(
          fill(field('Email'), 'nobody@example.org'),
          click(button('Send reset link')),
          see(text('If an account uses nobody@example.org')),
        ),
      },
    ],
  },
];

/** Section 2, Profile and Settings. */
export const account: Screen[] = [
  {
    section: 2,
    title: 'Profile',
    as: 'guest',
    open: '/profile',
    ready: button(/^Edit/),
    rows: [
      { what: 'the avatar is the initial', check: see(within(main, text(/^G$/))) },
      { what: 'joined date', check: see(within(main, text(/Joined/))) },
      { what: 'plan', check: see(within(main, text(/Free/))) },
      { what: 'the role is capitalised', section: 6, check: see(within(main, text(/^(User|Admin)$/))) },
      { what: 'Logout', check: see(within(main, button('Logout'))) },
      {
        what: 'Edit turns to the form',
        section: 4,
        check: all(click(button(/^Edit/)), see(button(/^Save/))),
      },
      { what: 'full_name', check: fill(field(/full name/i), 'Gus Grissom') },
      { what: 'username', check: holds(field('Username'), 'gus') },
      { what: 'email', check: holds(field('Email'), 'gus@example.org') },
      { what: 'bio', check: fill(field('Bio'), 'Flies things.') },
      { what: 'location', check: fill(field('Location'), 'Mitchell, Indiana') },
      { what: 'website', check: fill(field('Website'), 'https://example.org/gus') },
      {
        what: 'Save turns back to the view',
        section: 4,
        check: all(click(button(/^Save/)), see(button(/^Edit/)), see(within(main, text('Gus Grissom')))),
      },
      {
        what: 'what was saved stands there after a reload',
        section: 4,
        check: all(
          reload,
          see(text('Flies things.'), text('Mitchell, Indiana'), text('https://example.org/gus')),
        ),
      },
      {
        what: 'the top bar shows the full name',
        check: reads(within(role('banner'), link(/Gus/)), /Gus Grissom/),
      },
    ],
  },
  {
    section: 2,
    title: 'Settings',
    as: 'newcomer',
    open: '/settings',
    ready: button('Save Changes'),
    rows: [
      { what: 'email', check: holds(field('Email'), 'nadia@example.org') },
      { what: 'username', check: holds(field('Username'), 'nadia') },
      {
        what: 'email notifications are on',
        section: 9,
        check: checked(role('switch', 'Email notifications')),
      },
      {
        what: 'push notifications are on',
        section: 9,
        check: checked(role('switch', 'Push notifications')),
      },
      {
        what: 'the theme is light',
        section: 9,
        check: has(css('html'), 'data-theme', 'light'),
      },
      { what: 'themes: light', check: exists(within(main, role('radio', 'Light'))) },
      { what: 'themes: dark', check: exists(within(main, role('radio', 'Dark'))) },
      { what: 'themes: system', check: exists(within(main, role('radio', 'System'))) },
      { what: 'the language is en', section: 9, check: chosen(within(main, field('Language')), 'English') },
      ...['es', 'fr', 'de'].map((language) => ({
        what: `the language ${language} is offered`,
        check: exists(css(`main option[value=${language}]`)),
      })),
      { what: 'two-factor', check: see(button(/two-factor/i)) },
      {
        what: 'two-factor is live',
        decision: '0022-working-controls',
        check: enabled(button(/Enable two-factor/i)),
      },
      { what: 'data export', check: see(button(/export/i)) },
      {
        what: 'data export is live',
        decision: '0022-working-controls',
        check: enabled(button(/Export your data/i)),
      },
      { what: 'account info: role', check: see(within(main, text(/Role/))) },
      { what: 'account info: plan', check: see(within(main, text(/Plan/))) },
      { what: 'account info: Active', check: see(within(main, text(/^Active$/))) },
      { what: 'account info: member since', check: see(within(main, text(/Member since/i))) },
      { what: 'Save Changes', check: enabled(button('Save Changes')) },
      {
        what: 'the label becomes Saving...',
        check: all(
          answered(/\/api\/auth\/me/, { afterMs: 1_000 }),
          click(role('switch', 'Push notifications')),
          click(button('Save Changes')),
          see(text('Saving...')),
        ),
      },
      { what: 'Settings saved successfully!', section: 8, check: see(text('Settings saved successfully!')) },
      {
        what: 'everything that is shown is saved',
        decision: '0024-settings-save-all-fields',
        check: async (page, world) => {
          await page.unrouteAll();
          const { body } = await world.call<{ preferences: { push_notifications: boolean } }>(
            'GET /auth/me',
            { as: world.accounts.newcomer },
          );
          expect(body.preferences.push_notifications).toBe(false);
        },
      },
      {
        what: 'the theme applies at once',
        decision: '0024-settings-save-all-fields',
        check: all(click(within(main, text(/^Dark$/))), has(css('html'), 'data-theme', 'dark')),
      },
      {
        what: 'the language applies',
        decision: '0024-settings-save-all-fields',
        check: all(choose(within(main, field('Language')), 'Deutsch'), has(css('html'), 'lang', 'de')),
      },
      {
        what: 'settings that the server refused are not called saved',
        decision: '0024-settings-save-all-fields',
        check: all(
          async (_, { call, accounts }) => {
            const body = { preferences: { theme: 'light', language: 'en' } };
            await call('PUT /auth/me', { as: accounts.newcomer, body });
          },
          answered(/\/api\/auth\/me/, { method: 'PUT', status: 503 }),
          open('/settings'),
          fill(field('Username'), 'nadja'),
          click(button('Save Changes')),
          see(text('The disk is on holiday.')),
          unseen(text('Settings saved successfully!')),
        ),
      },
    ],
  },
  {
    section: 4,
    title: 'Logout',
    as: 'guest',
    open: '/projects',
    ready: heading('Your Projects'),
    rows: [
      {
        what: 'the token lies in local storage',
        decision: '0006-access-token-in-local-storage',
        check: hasStoredToken(true),
      },
      {
        what: 'logout calls the server and clears the token',
        check: all(sends(click(button('Logout')), 'POST', /\/auth\/logout$/), at('/'), hasStoredToken(false)),
      },
      { what: 'the visitor sees the landing page', check: see(link('Get Started Free')) },
      {
        what: 'what needs an account asks for it',
        check: all(open('/dashboard'), at('/login?next=%2Fdashboard')),
      },
    ],
  },
];
