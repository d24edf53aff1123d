import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectEvictions } from './disk-cache.ts';
import { contentHash, MAX_OBJECT_BYTES, type ObjectStore, objectKey } from './object-store.ts';
import { openObjectStore } from './open-store.ts';
import { createS3Store } from './s3-store.ts';
import { downloadFiles, isSameFile, UNREFERENCED_OBJECT_MS, uploadFiles } from './stored-files.ts';
import { listObjects, startS3, startScriptedS3 } from './testing.ts';

let folder: string;
let s3: Awaited<ReturnType<typeof startS3>>;
const stores: Record<string, ObjectStore> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindsight-objects-'));
  s3 = await startS3();
  const folderUrl = pathToFileURL(join(folder, 'objects')).href;
  stores.folder = openObjectStore({ url: folderUrl, region: '', accessKey: null, secretKey: null });
  stores.s3 = openObjectStore(s3.settings);
});

afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each(['folder', 's3'])('the %s store', (kind) => {
  test('writes, reads, lists and deletes objects', async () => {
    const store = stores[kind]!;
    const content = Buffer.from('a quiet harbour');
    const key = objectKey('project-1', contentHash(content));
    expect([await store.get(key), await store.head(key)]).toEqual([null, null]);
    await store.put(key, content);
    await store.put(key, content);
    expect(await store.get(key)).toEqual(content);
    const found = await store.head(key);
    expect(found?.bytes).toBe(content.length);
    expect(Math.abs(Date.now() - found!.modified.getTime())).toBeLessThan(60_000);
    await store.put(objectKey('project-2', contentHash(Buffer.alloc(0))), Buffer.alloc(0));
    const listed = await listObjects(store, 'project-1');
    expect(listed).toMatchObject([{ key, bytes: content.length }]);
    expect(await listObjects(store, null)).toHaveLength(2);
    expect(await listObjects(store, 'project-3')).toEqual([]);
    for await (const { key } of store.list(null)) await store.delete(key);
    await store.delete(key);
    expect(await listObjects(store, null)).toEqual([]);
  });

  test('stores files in pieces and sends only what is new', async () => {
    const store = stores[kind]!;
    const [from, to] = [join(folder, `${kind}-from`), join(folder, `${kind}-to`)];
    await mkdir(from, { recursive: true });
    const first = Buffer.alloc(MAX_OBJECT_BYTES, 'x');
    await writeFile(join(from, 'vectors'), Buffer.concat([first, Buffer.from('tail')]));
    await writeFile(join(from, 'code-0123456789ab'), 'a segment');
    await writeFile(join(from, 'empty'), '');
    const upload = { prefix: kind, path: from, names: ['code-0123456789ab', 'vectors', 'empty'] };
    const stored = await uploadFiles(store, upload);
    expect(stored.map(({ objects }) => objects.length)).toEqual([1, 2, 0]);

    await appendFile(join(from, 'vectors'), ', appended');
    const written = countPuts(store);
    const again = await uploadFiles(written.store, { ...upload, known: stored });
    expect(written.keys).toEqual([objectKey(kind, again[1]!.objects[1]!)]);

    await downloadFiles(store, {
      prefix: kind,
      path: to,
      files: again,
      unfinished: join(folder, 'unfinished'),
    });
    expect(await readFile(join(to, 'vectors'), 'latin1')).toBe(`${first.toString('latin1')}tail, appended`);
    expect((await readdir(to)).toSorted()).toEqual(['code-0123456789ab', 'empty', 'vectors']);
    expect(await isSameFile(join(to, 'vectors'), again[1]!)).toBe(true);
    expect(await isSameFile(join(to, 'vectors'), stored[1]!)).toBe(false);
  });

  test('never leaves a damaged or missing object on the disk', async () => {
    const store = stores[kind]!;
    const path = join(folder, `${kind}-damaged`);
    const unfinished = join(folder, 'unfinished');
    const content = Buffer.from('what was stored');
    const file = { name: '', bytes: content.length, objects: [contentHash(content)] };
    const download = () => downloadFiles(store, { prefix: 'damaged', path, files: [file], unfinished });
    await expect(download()).rejects.toMatchObject({ reason: 'stored_object_damaged' });
    await store.put(objectKey('damaged', file.objects[0]!), Buffer.from('what was stores'));
    await expect(download()).rejects.toMatchObject({ reason: 'stored_object_damaged' });
    expect((await readdir(folder)).filter((name) => name.includes('damaged'))).toEqual([]);
    expect(await readdir(unfinished)).toEqual([]);
  });
});

test('an object that may soon be deleted is written again', async () => {
  const path = join(folder, 'old');
  await writeFile(path, 'an old object');
  const written = countPuts(stores.folder!);
  const upload = { prefix: 'old', path, names: [''], known: [] };
  await uploadFiles(written.store, upload);
  await uploadFiles(written.store, upload);
  expect(written.keys).toHaveLength(1);
  const aged: ObjectStore = {
    ...written.store,
    head: async () => ({ bytes: 13, modified: new Date(Date.now() - UNREFERENCED_OBJECT_MS * 0.6) }),
  };
  await uploadFiles(aged, upload);
  expect(written.keys).toHaveLength(2);
});

test('a process that is killed while it writes leaves whole objects only', { timeout: 60_000 }, async () => {
  const root = join(folder, 'killed');
  const program = `
    import { createFolderStore } from ${JSON.stringify(join(import.meta.dirname, 'folder-store.ts'))};
    import { contentHash } from ${JSON.stringify(join(import.meta.dirname, 'object-store.ts'))};
    import { randomBytes } from 'node:crypto';
    const store = createFolderStore(${JSON.stringify(root)});
    for (;;) {
      const content = randomBytes(2_000_000);
      await store.put('killed/' + contentHash(content), content);
      console.log(contentHash(content));
    }`;
  const store = openObjectStore({
    ...{ url: pathToFileURL(root).href, region: '' },
    ...{ accessKey: null, secretKey: null },
  });
  for (let run = 0; run < 2; run++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    while (output.split('\n').length < 4) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const acknowledged = output.split('\n').slice(0, -1);
    for (const hash of acknowledged) expect(contentHash((await store.get(`killed/${hash}`))!)).toBe(hash);
  }
  for await (const { key } of store.list('killed')) {
    if (!key.endsWith('.new')) expect(contentHash((await store.get(key))!)).toBe(key.split('/')[1]);
  }
});

describe('hostile replies of an S3 service', () => {
  const LIMITS = { connectMs: 2000, firstByteMs: 2000, idleMs: 2000, maxBytes: 1000 };
  const KEY_OF_TEXT = objectKey('p', contentHash(Buffer.from('text')));

  const ask = async (answers: ((request: IncomingMessage, reply: ServerResponse) => void)[]) => {
    let calls = 0;
    const server = await startScriptedS3((request, reply) => {
      request.resume();
      answers[Math.min(calls++, answers.length - 1)]!(request, reply);
    });
    const store = createS3Store(server.settings, LIMITS);
    return { store, calls: () => calls, close: server.close };
  };
  const send = (status: number, body = '', headers: Record<string, string> = {}) => {
    return (_: IncomingMessage, reply: ServerResponse) => void reply.writeHead(status, headers).end(body);
  };
  const cutShort = (_: IncomingMessage, reply: ServerResponse) => {
    reply.writeHead(200, { 'content-length': '4' }).write('te');
    setTimeout(() => reply.destroy(), 20);
  };
  const silent = () => {};

  test.each([
    ['an overloaded service', [send(503, '<Error><Code>SlowDown</Code></Error>'), send(200, 'text')]],
    ['a truncated reply', [cutShort, send(200, 'text')]],
    ['silence', [silent, send(200, 'text')]],
    [
      'a closed connection',
      [(_: IncomingMessage, reply: ServerResponse) => reply.destroy(), send(200, 'text')],
    ],
  ])('retries after %s', async (_, answers) => {
    const { store, calls, close } = await ask(answers);
    expect((await store.get(KEY_OF_TEXT))?.toString()).toBe('text');
    expect(calls()).toBe(2);
    close();
  });

  test.each([
    ['a redirect', send(307, '', { location: 'http://127.0.0.1:1/elsewhere' }), 'object_store_refused'],
    ['wrong keys', send(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>'), 'object_store_refused'],
    ['a missing bucket', send(404, '<Error><Code>NoSuchBucket</Code></Error>'), 'object_store_refused'],
    ['a huge reply', send(200, 'x'.repeat(2000)), 'object_store_unavailable'],
  ])('gives up at once at %s', async (_, answer, messageKey) => {
    const { store, calls, close } = await ask([answer]);
    const error = await store.get(KEY_OF_TEXT).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'unavailable', messageKey });
    expect(String(error)).not.toMatch(/40[13]|S3RVER/);
    expect(calls()).toBe(1);
    close();
  });

  test('reads a listing of several pages and refuses anything else', async () => {
    const page = (key: string, next: string) =>
      `<ListBucketResult><Contents><Key>p/${key}&amp;</Key><Size>3</Size><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>${next}</ListBucketResult>`;
    const truncated = '<IsTruncated>true</IsTruncated><NextContinuationToken>b=</NextContinuationToken>';
    const asked: string[] = [];
    const { store, close } = await ask([
      (request, reply) => {
        asked.push(request.url!);
        reply.end(page('1', truncated));
      },
      (request, reply) => {
        asked.push(request.url!);
        reply.end(page('2', '<IsTruncated>false</IsTruncated>'));
      },
      send(200, '<html>not a listing</html>'),
    ]);
    const keys = (await listObjects(store, 'p')).map(({ key }) => key);
    expect(keys).toEqual(['p/1&', 'p/2&']);
    expect(asked[1]).toContain('continuation-token=b%3D');
    await expect(listObjects(store, 'p')).rejects.toMatchObject({
      messageKey: 'object_store_refused',
    });
    close();
  });
});

test('the least recently used files leave the cache, never those in use', () => {
  const now = 100 * 60_000;
  const cached = [
    { path: 'new', bytes: 40, usedAt: now },
    { path: 'oldest', bytes: 30, usedAt: 0 },
    { path: 'old', bytes: 30, usedAt: 1000 },
  ];
  const evict = (maxBytes: number) => selectEvictions(cached, { maxBytes, now }).map(({ path }) => path);
  expect([evict(100), evict(80), evict(50), evict(1)]).toEqual([
    [],
    ['oldest'],
    ['oldest', 'old'],
    ['oldest', 'old'],
  ]);
});

/** A store that records the keys that are written. */
function countPuts(store: ObjectStore): { store: ObjectStore; keys: string[] } {
  const keys: string[] = [];
  const put: ObjectStore['put'] = async (key, content) => {
    keys.push(key);
    await store.put(key, content);
  };
  return { store: { ...store, put }, keys };
}
