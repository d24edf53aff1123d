/** A memory of WebAssembly that threads share: it may be posted as it is. */
export interface SharedWasmMemory {
  readonly buffer: SharedArrayBuffer;
}

/** A memory of one thread's own, in pages of 64 KiB. Growing it makes a new buffer. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface WebAssemblyApi {
  Module: new (binary: Uint8Array<ArrayBuffer>) => object;
  Instance: new (
    module: object,
    imports: Record<string, Record<string, SharedWasmMemory>>,
  ) => { readonly exports: object };
  Memory: new (pages: { initial: number; maximum: number; shared: true }) => SharedWasmMemory;
}

/** As much of it as we use: it is typed with the browser only, whose types code for Node does not load. */
export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

/** Bytes of a page. */
export const WASM_PAGE_BYTES = 65_536;
