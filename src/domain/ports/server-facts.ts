/** Facts about the server, the same for every request to a project. */

import type { Extensions } from './extensions.ts'
import type { Projects } from './projects.ts'

export type ServerFacts = {
  readonly version: string
  /** Version of the platform whose current API the server has. */
  readonly compatibleVersion: string
  /** Configured public URL. */
  readonly publicUrl: string | null
  /** Base URL of links in mails. It never comes from a request header. */
  readonly address: () => string
  /** Largest file of rows to import, in bytes. */
  readonly maxImport: number
  /** Folder for data of the server; must be writable. */
  readonly dataDir: string
  /** Random id of the process; shown in health responses. */
  readonly instance: string
  /** False from the moment a shutdown was requested. */
  readonly isReady: () => boolean
  /** The request rate limits; false = no limit. */
  readonly rates: { readonly perAddress: RateFacts | false; readonly altogether: RateFacts | false }
  /** Purges the response cache of this process. */
  readonly purgeAnswers: () => Promise<void>
  /** Whether the first administrator is created by a request. */
  readonly leavesSetup: boolean
  /** Whether clients may name system collections with the prefix `directus_`. */
  readonly systemAliases: boolean
  /** Whether agents are served by the Model Context Protocol. */
  readonly agents: boolean
  /** How live connections are served; shown to clients. Absent or null = there are none. */
  readonly sockets?: SocketFacts | null | undefined
  /** The other projects. Absent = there is only this one. */
  readonly projects?: Projects
  /** What the operator has added. Absent = nothing. */
  readonly extensions?: Extensions
  /** Resolves when the database responds. On a server it uses a connection of its own. */
  readonly pingDatabase: () => Promise<void>
  /** Adds to the database what clients have used since the last time. Absent = nothing is counted. */
  readonly flushUsage?: () => Promise<void>
  /** Resolves when Redis responds; absent = there is none. Without Redis each replica has its own counters and cache. */
  readonly pingRedis?: () => Promise<void>
}

type SocketDoorFacts = { readonly authentication: 'public' | 'handshake' | 'strict'; readonly path: string }

/** `heartbeat` in seconds. */
export type SocketFacts = {
  readonly rest: SocketDoorFacts | false
  readonly graphql: SocketDoorFacts | false
  readonly heartbeat: number | false
}

/** A rate: `points` requests per `duration` in seconds. */
export type RateFacts = { readonly points: number; readonly duration: number }
