import { expect, test } from 'vitest';
import { linkTarget } from './link-target.ts';

test.each([
  ['paypal.com', 'https://evil.example', 'evil.example'],
  ['https://paypal.com', 'https://evil.example/paypal.com', 'evil.example'],
  ['https://paypal.com', 'https://paypal.com.evil.example/', 'paypal.com.evil.example'],
  ['https://paypal.com.evil', 'https://paypal.com', 'paypal.com'],
  ['https://paypal.com@evil.example', 'https://paypal.com@evil.example', 'evil.example'],
  ['evil.example', 'https://a:b@evil.example', 'evil.example'],
  ['host:8443', 'https://host:8444/', 'host:8444'],
  ['https://аpple.com', 'https://аpple.com', 'xn--pple-43d.com'],
  ['\u202emoc.lapyap//:sptth', 'https://evil.example', 'evil.example'],
  ['https://evil.example/\u202emoc', 'https://evil.example/x', 'evil.example'],
  ['words', 'http://[::1]:80/', '[::1]'],
  ['words', 'irc://evil.example/room', 'evil.example'],
  ['boss@corp.example', 'mailto:eve@evil.example?body=x', 'eve@evil.example'],
  ['words', 'xmpp:eve@evil.example', 'eve@evil.example'],
  ['https://paypal.com', '/api/auth/logout', '/api/auth/logout'],
  ['words', 'settings', 'settings'],
  [
    'words',
    `https://${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example`,
    expect.stringMatching(/…b+\.evil\.example$/),
  ],
])('%j linking to %j shows %j', (text, url, shown) => {
  expect(linkTarget(url, text)).toEqual(shown);
});

test.each([
  ['https://docs.example/a?b=1#c', 'https://docs.example/a?b=1#c'],
  ['docs.example/a', 'http://docs.example/a'],
  ['DOCS.example', 'https://docs.example'],
  ['ada@example.org', 'mailto:ada@example.org'],
  ['back', '#user-content-fnref-1'],
  ['/settings', '/settings'],
])('%j shows its target %j', (text, url) => {
  expect(linkTarget(url, text)).toBeNull();
});
