/** Messages between the main thread and the thread of the embedded database. */

export type WorkerData = {
  /** Null = in memory. */
  readonly directory: string | null
  /** Path of an archive to start from, in memory. */
  readonly dump: string | null
}

/** Threads that share a compiled module share its machine code too, so the second database begins warm. */
export type ThreadData = WorkerData & { readonly engine: WebAssembly.Module }

export type ToWorker =
  | { readonly kind: 'open' }
  /** Complete messages of the wire protocol. */
  | { readonly kind: 'send'; readonly connection: number; readonly bytes: Uint8Array }
  | { readonly kind: 'listen'; readonly id: number; readonly channel: string }
  | { readonly kind: 'dump'; readonly id: number; readonly path: string }
  | { readonly kind: 'close'; readonly id: number }

export type ToMain =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reply'; readonly connection: number; readonly bytes: Uint8Array }
  | { readonly kind: 'notification'; readonly channel: string; readonly payload: string }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'failed'; readonly reason: string }
