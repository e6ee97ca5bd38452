/** A project: everything that is built from one configuration, from its database to its limits. */
import type { Config } from '../config/sections.ts'
import type { Authenticator } from '../core/access/authenticator.ts'
import type { DatabaseShares } from '../core/access/database-shares.ts'
import type { OpenFeed } from '../core/feed/feed.ts'
import type { OpenSubscriptions } from '../core/feed/subscriptions.ts'
import type { SchemaCache } from '../core/model/schema.ts'
import type { ApiUsage } from '../core/server/api-usage.ts'
import type { FirstAdministrator } from '../core/server/bootstrap.ts'
import type { Usage } from '../core/usage/usage.ts'
import type { OpenWebhooks } from '../core/webhooks/webhooks.ts'
import type { Log } from '../domain/ports/context.ts'
import type { Outbound } from '../domain/ports/outbound.ts'
import type { Projects } from '../domain/ports/projects.ts'
import type { Providers } from '../domain/ports/providers.ts'
import type { ServerFacts } from '../domain/ports/server-facts.ts'
import type { SecuritySettings } from '../domain/ports/settings.ts'
import type { Telemetry } from '../domain/ports/telemetry.ts'
import type { WebhookViews } from '../domain/ports/webhooks.ts'
import type { OtherNames } from '../domain/schema/schema.ts'
import type { Pressure } from '../http/app/admission.ts'
import type { LimitsAndCaches } from '../limits-and-caches.ts'
import type { Outbox } from '../mail/mail.ts'
import { createOutbound } from '../outbound/client.ts'
import type { OpenDatabase } from '../sql/database.ts'
import type { OpenLocations } from '../storage/locations.ts'

/** The services that answer requests for a project. */
export type Project = Omit<LimitsAndCaches, 'close'> & {
  readonly key: string
  readonly config: Config
  readonly log: Log
  readonly db: OpenDatabase
  /** Its connections as one caller gets them: shared fairly with other callers. */
  readonly shares: DatabaseShares
  readonly schema: SchemaCache
  readonly authenticator: Authenticator
  /** Recorded changes of rows, for listeners. */
  readonly feed: OpenFeed
  readonly subscriptions: OpenSubscriptions
  /** Deliveries of changes to receivers. */
  readonly webhooks: OpenWebhooks
  readonly security: SecuritySettings
  readonly storage: OpenLocations
  readonly outbound: ReturnType<typeof createOutbound>
  readonly mail: Outbox
  readonly providers: Providers
  readonly server: ServerFacts
  readonly forgetActors: () => Promise<void>
  /** Counts calls of operations that will be turned off. */
  readonly usage: ApiUsage
  /** Counts which clients use which fields; null = nothing is counted. */
  readonly clientUsage: Usage | null
  /** The administrator created by this start; null if one existed. */
  readonly admin: FirstAdministrator | null
  /** Whether the token of the settings is that of the administrator. */
  readonly hasAdminToken: boolean
  /** File of the generated secret; null if a secret is configured. */
  readonly secretFile: string | null
  /** Ends its work. `left` returns the remaining milliseconds. */
  readonly close: (left: () => number) => Promise<void>
}

/** The parts of the process that projects use. */
export type Dependencies = {
  readonly log: Log
  /** Names of fields in stored permissions, of all generations. */
  readonly otherNames: OtherNames
  /** How items look in each form of webhooks. */
  readonly webhookViews: WebhookViews
  readonly server: Pick<ServerFacts, 'publicUrl' | 'address' | 'instance' | 'isReady' | 'extensions'>
  readonly pressure: Pressure | null
  /** Null = nothing is observed. */
  readonly telemetry: Telemetry | null
  /** Rights, sessions or users of a project have changed, on any replica. */
  readonly onAccess?: () => void
  /** Absent where requests cannot manage projects. */
  readonly projects?: Projects
  /** Replaces requests to the web. */
  readonly outbound?: Outbound
}
