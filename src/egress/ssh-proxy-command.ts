import { readFileSync } from 'node:fs';
import { request } from 'node:http';

/*
 * The ProxyCommand of ssh: joins ssh to a host through the tunnel of a lease, so that ssh dials nothing itself.
 *
 *     node ssh-proxy-command.ts FILE HOST PORT
 *
 * FILE holds the address of the proxy with the lease's password: a command line is public, this file is not.
 */
const [file = '', host, port] = process.argv.slice(2);
const proxy = new URL(readFileSync(file, 'utf8').trim());
const secret = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
const call = request({
  host: proxy.hostname,
  port: proxy.port,
  method: 'CONNECT',
  path: `${host}:${port}`,
  headers: { 'proxy-authorization': `Basic ${secret}` },
});
call.on('error', () => process.exit(1));
call.on('connect', (reply, socket, head) => {
  if (reply.statusCode !== 200) process.exit(1);
  process.stdout.write(head);
  socket.on('error', () => process.exit(1));
  socket.on('close', () => process.exit(0));
  process.stdout.on('error', () => process.exit(0));
  process.stdin.pipe(socket).pipe(process.stdout);
});
call.end();
