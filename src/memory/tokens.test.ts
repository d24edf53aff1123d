import { expect, test } from 'vitest';
import { terms } from './tokens.ts';

test.each([
  ['parse parses parsed parsing', ['pars', 'pars', 'pars', 'pars']],
  ['parseHTTPResponse', ['parsehttpresponse', 'pars', 'http', 'respons']],
  ['parse_http_response', ['parsehttpresponse', 'pars', 'http', 'respons']],
  ['PARSE_HTTP_RESPONSE', ['parsehttpresponse', 'pars', 'http', 'respons']],
  ['sha256 utf8', ['sha256', 'sha', '256', 'utf8', 'utf']],
  ['__init__', ['init']],
  ['x_1', ['x1']],
  ['a.b(c)', ['a', 'b', 'c']],
  ['404', ['404']],
  ['queries modified planned stopping', ['query', 'modify', 'plan', 'stop']],
  ['class status this string need', ['class', 'status', 'this', 'string', 'need']],
  ['filling filing', ['fill', 'fil']],
  ['Größe größe', ['größe', 'größe']],
  ['ИмяФайла', ['имяфайла', 'имя', 'файла']],
  ['文件名', ['文件', '件名']],
  ['数', ['数']],
  ['naïve café', ['naïve', 'café']],
  ['ﬁle', ['fil']],
  ['🙂 ok 🙂', ['ok']],
  ['da39a3ee5e6b4b0d3255bfef95601890afd80709', ['da39a3ee5e6b4b0d3255bfef95601890afd80709']],
  ['', []],
  ["'; DROP TABLE users;--", ['drop', 'tabl', 'user']],
  ['constructor __proto__', ['constructor', 'proto']],
  ['x'.repeat(1000), []],
])('%s', (text, expected) => {
  expect(terms(text)).toEqual(expected);
});

test('a lone surrogate and a truncated pair are handled', () => {
  expect(() => terms('\ud800 \udc00x \ud83d')).not.toThrow();
});
