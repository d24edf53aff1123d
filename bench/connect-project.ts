import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, PASSWORD } from '../e2e/product.ts';

/** A project in a running product, indexed, with one answer in it. */
export interface ConnectedProject {
  token: string;
  projectId: string;
  /** Path of the answer. */
  answer: string;
}

/** Signs up at the product, connects the repository, waits until all of it is indexed, and asks about an error. */
export async function connectProject(url: string, name: string, gitUrl: string): Promise<ConnectedProject> {
  const account = { username: 'ada', email: 'ada@example.org', password: PASSWORD };
  const { access_token } = await callApi({ url }, ['POST', '/auth/register'], { token: '', body: account });
  const token = access_token as string;
  const call = (method: string, path: string, body?: object) =>
    callApi({ url }, [method, path], { token, body });
  const { id } = await call('POST', '/projects', { name, git_url: gitUrl });
  const isBusy = async () => {
    const { status, activity } = await call('GET', `/projects/${id}`);
    if (status === 'failed') throw new Error(`${name} could not be connected.`);
    return status !== 'ready' || activity !== null;
  };
  while (await isBusy()) await sleep(200);
  const error_message = 'TypeError: Cannot read properties of undefined (reading "length")';
  const session = await call('POST', '/debug', { project_id: id, error_message });
  return { token, projectId: id as string, answer: `/debug/${session.id}` };
}
