import { lazyComponent } from './lazy-component.tsx';

/** Parts of proofs on the pages of other features, which must not import each other. */
export const ProveDialog = lazyComponent(() =>
  import('./proofs/proof-dialog.tsx').then((module) => module.ProofDialog),
);

export const SessionProofs = lazyComponent(() =>
  import('./proofs/proof-section.tsx').then((module) => module.ProofSection),
);

export const RunningSettings = lazyComponent(() =>
  import('./proofs/run-settings.tsx').then((module) => module.RunSettings),
);
