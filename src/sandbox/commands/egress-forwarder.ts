import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

/**
 * Runs inside the sandbox of a set-up command: listens on loopback, where package managers expect a proxy, passes every
 * connection to the mounted socket, and executes the command.
 *
 *   node egress-forwarder.ts SOCKET PORT COMMAND
 */
const [socket = '', port = '', command = ''] = process.argv.slice(2);

const server = createServer((client) => {
  const gateway = connect(socket);
  client.on('error', () => gateway.destroy());
  gateway.on('error', () => client.destroy());
  client.pipe(gateway).pipe(client);
});

server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn('/bin/sh', ['-c', command], { stdio: 'inherit' });
  child.once('error', () => process.exit(127));
  child.once('exit', (code, signal) => {
    process.exit(signal === null ? (code ?? 0) : 128 + constants.signals[signal]);
  });
});
