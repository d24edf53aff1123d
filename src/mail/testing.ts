import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** An email that a mail server received: the envelope and the raw message. */
interface ReceivedEmail {
  from: string;
  to: string;
  message: string;
}

/** A mail server on loopback that keeps what it gets. */
export interface MailServer {
  url: string;
  received: ReceivedEmail[];
  close(): Promise<void>;
}

/** Starts a server that speaks as much of SMTP as a client without encryption and sign-in needs. */
export async function startMailServer({ refuse = false } = {}): Promise<MailServer> {
  const received: ReceivedEmail[] = [];
  const server = createServer((socket) => void handleSession(socket, received, refuse));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}

async function handleSession(socket: Socket, received: ReceivedEmail[], refuse: boolean): Promise<void> {
  const respond = (line: string) => socket.write(`${line}\r\n`);
  let mail: ReceivedEmail = { from: '', to: '', message: '' };
  let inMessage = false;
  respond('220 test');
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (inMessage && line === '.') {
      inMessage = false;
      received.push(mail);
      respond('250 taken');
    } else if (inMessage) mail.message += `${line.replace(/^\.\./, '.')}\n`;
    else if (/^EHLO/i.test(line)) respond('250 test');
    else if (/^MAIL FROM:/i.test(line)) {
      mail = { from: between(line), to: '', message: '' };
      respond('250 ok');
    } else if (/^RCPT TO:/i.test(line)) {
      mail.to = between(line);
      respond(refuse ? '550 no such mailbox' : '250 ok');
    } else if (/^DATA/i.test(line)) {
      inMessage = true;
      respond('354 go on');
    } else if (/^QUIT/i.test(line)) {
      respond('221 bye');
      socket.end();
    } else respond('250 ok');
  }
}

function between(line: string): string {
  return /<(.*?)>/.exec(line)?.[1] ?? '';
}
