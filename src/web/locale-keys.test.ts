import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Profile } from '#contract/account.ts';
import type { ChatEvents } from '#contract/chat.ts';
import type { DebugEvents } from '#contract/debug.ts';

type Step = (ChatEvents | DebugEvents)['step']['step'];

/** Values of the API that are part of a locale key; the types list every value. */
const PROGRESS: Record<Step, true> = {
  retrieving: true,
  waiting: true,
  generating: true,
  checking_patch: true,
  repairing_patch: true,
  tool_call: true,
};
const EMAIL_STATES: Record<Exclude<Profile['email_verification'], 'verified'>, true> = {
  pending: true,
  unavailable: true,
};

function keysAt(feature: string, section: string): string[] {
  const file = new URL(`../locales/en/${feature}.json`, import.meta.url);
  return Object.keys(JSON.parse(readFileSync(file, 'utf8'))[section]);
}

test.each([
  ['parts', 'progress', Object.keys(PROGRESS)],
  ['settings', 'notifications', Object.keys(EMAIL_STATES).map((state) => `mail_${state}`)],
])('%s.%s has a text for every value of the API', (feature, section, keys) => {
  expect(keysAt(feature, section)).toEqual(expect.arrayContaining(keys));
});
