import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A mail server that accepts every email and drops it: with one set, emails have to be confirmed. */
export async function startMailSink(): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => {
    let inData = false;
    socket.on('error', () => socket.destroy());
    socket.write('220 sink\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (inData) {
        inData = !/\r\n\.\r\n$/.test(text);
        if (!inData) socket.write('250 taken\r\n');
      } else if (/^DATA/i.test(text)) {
        inData = true;
        socket.write('354 go on\r\n');
      } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n');
      else socket.write('250 sink\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
