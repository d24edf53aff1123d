import { PASSWORD } from '../product.ts';
import type { CallTable } from './row.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const user = {
  email: /@/,
  username: 'string',
  full_name: 'string?',
  bio: 'string?',
  location: 'string?',
  website: 'string?',
  role: ['admin', 'user'],
  subscription_plan: ['free', 'pro', 'enterprise'],
  is_active: 'boolean',
  created_at: TIME,
} as const;

/** Section 7, Auth, with the fields of section 3. */
export const auth: CallTable[] = [
  {
    section: 7,
    call: 'POST /auth/register',
    as: 'visitor',
    status: 201,
    input: () => ({
      body: {
        username: unique('reg'),
        email: `${unique('reg')}@example.org`,
        password: PASSWORD,
      },
    }),
    fields: { access_token: TOKEN, refresh_token: 'string' },
  },
  {
    section: 7,
    call: 'POST /auth/login',
    about: 'form-encoded with the email as username',
    as: 'visitor',
    input: ({ accounts }) => ({ form: { username: accounts.user.email, password: accounts.user.password } }),
    fields: { access_token: TOKEN, refresh_token: 'string' },
  },
  {
    section: 4,
    call: 'POST /auth/login',
    about: 'with a wrong pair',
    as: 'visitor',
    status: 401,
    input: ({ accounts }) => ({ form: { username: accounts.guest.email, password: 'not this one' } }),
    fields: {
      detail: 'string',
      'error.code': ['unauthenticated'],
      'error.message': 'string',
      'error.request_id': 'string',
    },
    decision: '0005-status-codes-decide',
  },
  {
    section: 5,
    call: 'POST /auth/register',
    about: 'with an email that is none',
    as: 'visitor',
    status: 422,
    input: () => ({ body: { username: 'someone', email: 'nobody', password: PASSWORD } }),
    fields: { detail: /^Validation error: Please check your input\.$/, 'error.fields.email': 'string' },
  },
  { section: 3, call: 'GET /auth/me', fields: user },
  {
    section: 3,
    call: 'GET /auth/me',
    about: 'with preferences',
    as: 'new',
    fields: {
      'preferences.email_notifications': 'boolean',
      'preferences.push_notifications': 'boolean',
      'preferences.theme': ['light'],
      'preferences.language': ['en'],
    },
    decision: '0024-settings-save-all-fields',
  },
  {
    section: 4,
    call: 'GET /auth/me',
    about: 'without signing in',
    as: 'visitor',
    status: 401,
    fields: { detail: 'string' },
  },
  {
    section: 7,
    call: 'PUT /auth/me',
    about: 'profile fields',
    as: 'new',
    input: () => ({
      body: { full_name: 'Pat Smith', bio: 'Walks.', location: 'Oslo', website: 'https://example.org' },
    }),
    fields: {
      full_name: /^Pat Smith$/,
      bio: /^Walks\.$/,
      location: /^Oslo$/,
      website: /^https:\/\/example\.org/,
    },
  },
  {
    section: 3,
    call: 'PUT /auth/me',
    about: 'preferences',
    as: 'new',
    input: () => ({ body: { preferences: { theme: 'dark', language: 'fr' } } }),
    fields: { 'preferences.theme': ['dark'], 'preferences.language': ['fr'] },
    decision: '0024-settings-save-all-fields',
  },
  {
    section: 7,
    call: 'POST /auth/refresh',
    about: 'with the token in the body',
    as: 'new',
    input: (_, { as }) => ({ as: null, body: { refresh_token: as?.refresh_token } }),
    fields: { access_token: TOKEN, refresh_token: 'string' },
  },
  { section: 7, call: 'POST /auth/logout', as: 'new' },
  {
    section: 7,
    call: 'POST /auth/forgot-password',
    as: 'visitor',
    input: () => ({ body: { email: 'nobody@example.org' } }),
  },
  {
    section: 7,
    call: 'POST /auth/reset-password',
    about: 'with a token that is none',
    as: 'visitor',
    status: 400,
    input: () => ({ body: { token: 'x'.repeat(43), new_password: 'another quiet harbour' } }),
    fields: { detail: 'string' },
  },
  {
    section: 7,
    call: 'POST /auth/me/subscription',
    input: () => ({ body: { plan: 'free' } }),
  },
];

let number = 0;

function unique(stem: string): string {
  number += 1;
  return `${stem}-${number}`;
}
