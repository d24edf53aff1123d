import { startS3 } from '../src/storage/testing.ts';

/**
 * Starts an S3 server with an empty bucket. With `TEST_OBJECT_STORE_URL`, `TEST_OBJECT_STORE_ACCESS_KEY` and
 * `TEST_OBJECT_STORE_SECRET_KEY` the bucket of another service is used instead, such as one of OpenStack Swift or Ceph; it must be empty.
 */
export async function startTestStore(): Promise<Awaited<ReturnType<typeof startS3>>> {
  const {
    TEST_OBJECT_STORE_URL: url,
    TEST_OBJECT_STORE_ACCESS_KEY: accessKey = '',
    TEST_OBJECT_STORE_SECRET_KEY: secretKey = '',
  } = process.env;
  if (!url) return await startS3();
  return { settings: { url, region: 'us-east-1', accessKey, secretKey }, close: async () => {} };
}
