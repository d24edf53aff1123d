/**
 * Measures the palette while typing: `node bench/palette.ts URL EMAIL PASSWORD` asks a running server for every beginning of
 * some words, as the browser does at each key, and prints the times as a table.
 */
const [url = 'http://127.0.0.1:3000', email = '', password = ''] = process.argv.slice(2);

const TEXTS = [
  'route.js',
  'revision.c',
  'parse_options',
  'dispatchrequest',
  'http parser',
  'fix crash of',
  'builtin/log',
  'readme',
  'gin context json',
  'strbuf_addf',
];
const ROUNDS = 3;

const signIn = await fetch(`${url}/api/auth/login`, {
  method: 'POST',
  body: new URLSearchParams({ username: email, password }),
});
const { access_token: token } = (await signIn.json()) as { access_token: string };

async function find(q: string): Promise<{ took_ms: number; preparing: number }> {
  const response = await fetch(`${url}/api/palette?${new URLSearchParams({ q })}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`The server replied ${response.status}`);
  return (await response.json()) as { took_ms: number; preparing: number };
}

const projects = await fetch(`${url}/api/projects`, { headers: { authorization: `Bearer ${token}` } });
const count = ((await projects.json()) as unknown[]).length;
while ((await find('a')).preparing > 0) await new Promise((resolve) => setTimeout(resolve, 200));

const server: number[] = [];
const whole: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const text of TEXTS) {
    for (let end = 1; end <= text.length; end++) {
      const started = performance.now();
      const { took_ms: ms } = await find(text.slice(0, end));
      whole.push(performance.now() - started);
      server.push(ms);
    }
  }
}

const at = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))]!.toFixed(1);
console.log(`| ${server.length} keys, ${count} projects | p50 ms | p95 ms | max ms |`);
console.log('|---|---|---|---|');
console.log(`| handler | ${at(server, 0.5)} | ${at(server, 0.95)} | ${at(server, 1)} |`);
console.log(`| request | ${at(whole, 0.5)} | ${at(whole, 0.95)} | ${at(whole, 1)} |`);
