/** Webhooks: addresses that are sent the changes of collections. */
import type { Schema } from '../schema/schema.ts'
import type { View } from '../schema/view.ts'

/** A stored webhook, with its secrets. */
export type Webhook = {
  readonly id: number
  readonly name: string
  readonly isActive: boolean
  readonly url: string
  readonly method: 'POST' | 'GET'
  readonly collections: readonly string[]
  /** `create`, `update`, `delete`. */
  readonly actions: readonly string[]
  readonly headers: readonly { readonly header: string; readonly value: string }[]
  /** Whether the item is sent; else its key alone. */
  readonly hasData: boolean
  readonly format: WebhookFormat
  /** The user or role whose rights decide what is sent; with neither, nothing is sent. */
  readonly user: string | null
  readonly role: string | null
  readonly secret: string | null
  /** The former secret signs until then, too. */
  readonly previous: { readonly secret: string; readonly until: Date } | null
  readonly isFailing: boolean
}

/** `standard`: an event as Standard Webhooks describes it. `item`: the item alone. */
export type WebhookFormat = 'standard' | 'item'

/** How items look in each form. Absent = the form is not served. */
export type WebhookViews = { readonly [Format in WebhookFormat]?: (schema: Schema) => View }

export type WebhookRequest = {
  readonly url: string
  readonly method: 'POST' | 'GET'
  readonly headers: { readonly [name: string]: string }
  /** Null: no body. */
  readonly body: string | null
}

/** What the receiver answers; its body is dropped. `retryAfter` in seconds. */
export type WebhookAnswer = { readonly status: number; readonly retryAfter: number | null }

/** Sends a request to an allowed address, without redirects. Rejects where there is no answer in time. */
export type SendWebhook = (request: WebhookRequest) => Promise<WebhookAnswer>

/** Settings of deliveries. Times are in milliseconds. */
export type WebhookSettings = {
  /** Time of a request with its answer. */
  readonly timeout: number
  /** Requests to one webhook at the same time, per process. */
  readonly concurrency: number
  /** Attempts of a delivery before it is given up. */
  readonly attempts: number
  /** Wait after the first failed attempt; it triples with each further one, up to `longestWait`. */
  readonly firstWait: number
  readonly longestWait: number
  /** Deliveries of one webhook that wait; further ones become dead letters. */
  readonly queue: number
  /** How long finished deliveries are stored. */
  readonly retention: number
}

/** What became of an attempt. */
export type WebhookOutcome = 'delivered' | 'failed' | 'dead'

/** Starts due deliveries. Absent = another process delivers. */
export type WebhookDispatch = { readonly wake: () => void }
