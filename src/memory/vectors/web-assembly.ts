/** A WebAssembly memory that threads share; it may be posted to them. */
export interface SharedWasmMemory {
  readonly buffer: SharedArrayBuffer;
}

/** A WebAssembly memory of one thread, in pages of 64 KiB. Growing it replaces the buffer. */
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

/** The part of WebAssembly that is used here: its types come with the DOM library, which server code does not load. */
export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;

/** Bytes per page. */
export const WASM_PAGE_BYTES = 65_536;
