/** What the embedded database's thread and the main thread say to each other. */

export type WorkerData = {
  /** Null = in memory. */
  readonly directory: string | null
  /** An archive of a data directory to begin with. */
  readonly dump: string | null
}

export type ToWorker =
  | { readonly kind: 'open' }
  /** Bytes of the wire protocol, always whole messages. */
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
