/** `Telemetry`: observes requests and statements. Absent = nothing is observed, at no cost. */
import type { Database } from './context.ts'
import type { Outbound } from './outbound.ts'
import type { Station } from './stations.ts'
import type { SendWebhook, WebhookOutcome } from './webhooks.ts'

export type Telemetry = {
  /** Begins to observe a request. `work` runs as part of its trace. */
  readonly request: (incoming: IncomingRequest, work: (probe: RequestProbe) => void) => void
  /** The same database, with every statement observed. */
  readonly database: <Db extends Database>(db: Db, project: string) => Db
  /** The same port, with its requests as part of the trace. */
  readonly outbound: (outbound: Outbound) => Outbound
  /** The same, with each request a trace of its own, which the receiver can continue. */
  readonly webhooks: (send: SendWebhook) => SendWebhook
  /** A read that could be answered from the response cache, and whether it was. */
  readonly cached: (project: string, isHit: boolean) => void
  /** An attempt to deliver a change to a webhook. */
  readonly delivered: (project: string, outcome: WebhookOutcome, seconds: number) => void
}

export type IncomingRequest = {
  readonly method: string
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
}

/** One request under observation. */
export type RequestProbe = {
  /** Null where no trace is recorded. */
  readonly trace: { readonly id: string; readonly span: string; readonly isSampled: boolean } | null
  /** Marks the end of a station; null if stations are not measured. */
  readonly leave: ((station: Station) => void) | null
  /** The operation of the request. Paths are never passed on: their number is not bounded. */
  readonly isFor: (generation: string, operationId: string) => void
  readonly isOf: (project: string) => void
  /** The answer is complete, or the client has gone. */
  readonly end: (outcome: { readonly status: number; readonly isAborted: boolean }) => void
}
