import { type Fault, trialsOf } from './fault.ts';
import { prepareProgram } from './program.ts';

const HOUR_MS = 3600_000;

/** R19: restarts the server with a clock an hour ahead, then an hour behind. */
export const clockFault: Fault = {
  id: 'R19',
  name: 'clock ± 1 h',
  target: 'no one is signed out, jobs run on',
  async run(options) {
    const trials = trialsOf(options, 5);
    let losses = 0;
    const program = await prepareProgram();
    try {
      await program.start();
      const account = { username: 'ada', email: 'ada@example.org', password: 'a quiet harbour at dawn' };
      const headers = { 'content-type': 'application/json' };
      const send = async (path: string, body: object) => {
        const reply = await fetch(`${program.url}/api${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return { status: reply.status, body: (await reply.json()) as Record<string, string> };
      };
      let { body: tokens } = await send('/auth/register', account);
      for (let trial = 0; trial < trials; trial++) {
        for (const offset of [HOUR_MS, -HOUR_MS, 0]) {
          await program.stop();
          await program.start({ CLOCK_OFFSET_MS: String(offset) });
          const refreshed = await send('/auth/refresh', { refresh_token: tokens.refresh_token! });
          if (refreshed.status !== 200) losses += 1;
          else tokens = refreshed.body;
          const me = await fetch(`${program.url}/api/auth/me`, {
            headers: { authorization: `Bearer ${tokens.access_token}` },
          });
          if (!me.ok) losses += 1;
          options.report(`R19: ${offset / HOUR_MS} h: refresh ${refreshed.status}, profile ${me.status}`);
        }
      }
    } finally {
      await program.remove();
    }
    return { trials: trials * 3, losses, figures: `${losses} sessions lost`, isMet: losses === 0 };
  },
};
