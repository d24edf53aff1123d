import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, seconds, slowest, trialsOf } from './fault.ts';
import { prepareProgram, until } from './program.ts';

/** Clients of the full form. */
export const CLIENTS = 1_000;
/** Connections of one account; the oldest is closed beyond it. */
const PER_ACCOUNT = 5;
/** Settings of a server that lets so many clients in from one address. */
export const CROWD_SETTINGS = {
  RATE_LIMIT_REGISTER_ATTEMPTS_PER_IP: '1000000/3600',
  RATE_LIMIT_REGISTER_PER_IP: '1000000/3600',
  MAX_CONNECTIONS_PER_IP: '5000',
};
const CONNECT_LIMIT_S = 5;
const RETURN_LIMIT_S = 15;

/** R15: many WebSocket clients, and a restart after which all come back. */
export const socketFault: Fault = {
  id: 'R15',
  name: '1,000 WebSocket clients and a restart',
  target: `connected ≤ ${CONNECT_LIMIT_S} s, all back ≤ ${RETURN_LIMIT_S} s after the restart`,
  async run(options) {
    const count = options.short ? 20 : CLIENTS;
    const program = await prepareProgram(CROWD_SETTINGS);
    const connects: number[] = [];
    const returns: number[] = [];
    let losses = 0;
    const trials = trialsOf(options, 3);
    try {
      await program.start();
      const tokens = await registerCrowd(program.url, count);
      const connect = async () => {
        const started = performance.now();
        const sockets = await connectCrowd(program.url, tokens, count);
        return { sockets, ms: performance.now() - started };
      };
      for (let trial = 0; trial < trials; trial++) {
        const first = await connect();
        connects.push(first.ms);
        await program.stop();
        await program.start();
        const ready = performance.now();
        const second = await until(
          async () => {
            const again = await connect();
            return again.sockets.length === count && again;
          },
          60_000,
          'Not all clients came back',
        );
        returns.push(performance.now() - ready);
        if (first.sockets.length !== count) losses += 1;
        for (const socket of second.sockets) socket.close();
        await sleep(1_000);
        options.report(`R15: ${first.sockets.length} of ${count} in ${Math.round(first.ms)} ms`);
      }
    } finally {
      await program.remove();
    }
    const figures = `${count} connected ≤ ${seconds(slowest(connects))}, back ≤ ${seconds(slowest(returns))}`;
    const isFast = slowest(connects) <= CONNECT_LIMIT_S && slowest(returns) <= RETURN_LIMIT_S;
    return { trials, losses, figures, isMet: losses === 0 && isFast };
  },
};

/** Registers as many accounts as so many clients need; returns their tokens. */
export async function registerCrowd(url: string, clients: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let number = 0; number < Math.ceil(clients / PER_ACCOUNT); number++)
    tokens.push(await register(url, number));
  return tokens;
}

/** Opens so many sockets at once, spread over the accounts; returns those that were not refused. */
export async function connectCrowd(url: string, tokens: string[], clients: number): Promise<WebSocket[]> {
  const all = Array.from({ length: clients }, (_, index) => openSocket(url, tokens[index % tokens.length]!));
  return (await Promise.all(all)).filter((socket) => socket !== null);
}

async function register(url: string, number: number): Promise<string> {
  const account = {
    username: `user${number}`,
    email: `user${number}@example.org`,
    password: 'a quiet harbour at dawn',
  };
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify(account),
  });
  return ((await reply.json()) as { access_token: string }).access_token;
}

/** Opens a socket; null where it is refused. */
function openSocket(url: string, token: string): Promise<WebSocket | null> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/notifications?token=${token}`);
  return new Promise((settle) => {
    socket.addEventListener('open', () => settle(socket));
    socket.addEventListener('error', () => settle(null));
  });
}
