import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A load balancer on loopback, with the defaults of nginx. */
export interface Balancer {
  url: string;
  close(): void;
}

const MAX_BODY_BYTES = 16 * 2 ** 20;

/**
 * Sends requests to the servers in turn. One that a server does not accept goes to the next, one that may be repeated also when its
 * server dies before it answers; else the reply is 502, or is cut off. WebSockets are passed on.
 */
export async function startBalancer(listUrls: () => string[]): Promise<Balancer> {
  let turn = 0;
  const order = () => {
    const urls = listUrls();
    turn += 1;
    return urls.map((_, index) => urls[(turn + index) % urls.length]!);
  };
  const sockets = new Set<Socket>();
  const server = createServer((asked, reply) => void forward(asked, reply, order()));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (asked, socket: Socket, head) => pipeUpgrade(asked, { socket, head, urls: order() }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function forward(asked: IncomingMessage, reply: ServerResponse, urls: string[]): Promise<void> {
  const body = await readBody(asked).catch(() => null);
  if (body === null) return void reply.destroy();
  const isRepeatable = asked.method === 'GET' || asked.method === 'HEAD';
  for (const url of urls) {
    const outcome = await forwardTo(url, { asked, body, reply });
    if (outcome === 'answered') return;
    if (outcome === 'broken' && !isRepeatable) break;
  }
  if (reply.headersSent) return void reply.destroy();
  reply.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
}

async function readBody(asked: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of asked) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** `refused` when nothing was sent, `broken` when the server died before its reply began. */
function forwardTo(
  url: string,
  { asked, body, reply }: { asked: IncomingMessage; body: Buffer; reply: ServerResponse },
): Promise<'answered' | 'refused' | 'broken'> {
  return new Promise((resolve) => {
    const sent = request(url + asked.url, { method: asked.method, headers: asked.headers, agent: false });
    sent.once('response', (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(reply);
      answer.once('error', () => reply.destroy());
      answer.once('close', () => {
        if (!answer.complete) reply.destroy();
        resolve('answered');
      });
    });
    sent.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'broken'),
    );
    // A reader that leaves, as after a search that was overtaken.
    reply.once('close', () => sent.destroy());
    sent.end(body);
  });
}

function pipeUpgrade(
  asked: IncomingMessage,
  { socket, head, urls }: { socket: Socket; head: Buffer; urls: string[] },
): void {
  const [url, ...others] = urls;
  socket.on('error', () => {});
  if (url === undefined) return void socket.destroy();
  const { hostname, port } = new URL(url);
  const upstream = connect(Number(port), hostname);
  let isConnected = false;
  upstream.once('connect', () => {
    isConnected = true;
    const headers = asked.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
    );
    upstream.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => {});
  upstream.once('close', () => {
    if (isConnected) socket.destroy();
    else pipeUpgrade(asked, { socket, head, urls: others });
  });
  socket.once('close', () => upstream.destroy());
}
