import { channel } from 'node:diagnostics_channel';

/** Moments at which the fault tests end the process. */
type Failpoint =
  | 'import-created'
  | 'import-fetched'
  | 'import-renamed'
  | 'index-generation'
  | 'index-built'
  | 'branch-saved'
  | 'answer-composed'
  | 'payment-fetched'
  | 'payment-recorded'
  | 'payment-committed';

const failpoints = channel('hindsight:failpoint');

/** Names a moment for the fault tests, which listen to the channel `hindsight:failpoint`. A server has no listener. */
export function failpoint(name: Failpoint): void {
  if (failpoints.hasSubscribers) failpoints.publish(name);
}
