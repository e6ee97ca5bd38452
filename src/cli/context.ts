/** A context with all rights: users of the command line have access to the database anyway. */
import packageJson from '../../package.json' with { type: 'json' }
import { clock, ids } from '../clock-and-ids.ts'
import type { Config } from '../config/sections.ts'
import { announce } from '../core/announcements.ts'
import type { Context } from '../domain/ports/context.ts'
import type { StorageLocations } from '../domain/ports/storage.ts'
import type { GenerationDefinition } from '../http/app/generation.ts'
import { createImages } from '../images/images.ts'
import { createAddressRule } from '../outbound/addresses.ts'
import { createOutbound } from '../outbound/client.ts'
import { createResumable } from '../resumable/resumable.ts'
import type { OpenDatabase } from '../sql/database.ts'
import { sqlRows } from '../sql/run/sql-rows.ts'
import { loadSchema } from '../sql/schema/load-schema.ts'
import { quietLog } from './database.ts'

/** `command`: the client that history shows. Without storage and secret, nothing that needs them can be written. */
export async function createContext(
  db: OpenDatabase,
  config: Config,
  { generation, command, storage = { locations: new Map(), primary: '' }, secret = '' }: CommandContextOptions,
): Promise<Context> {
  const options = { exclude: config.excludeTables, log: quietLog }
  const schema = await loadSchema(db, options)
  return {
    project: '_',
    db,
    rows: sqlRows,
    schema,
    view: generation.createView(schema),
    actor: { kind: 'system' },
    clock,
    ids,
    log: quietLog,
    mail: noMail,
    attempts: { begin: () => Promise.resolve(), succeed: () => Promise.resolve() },
    limits: config.limits,
    request: { id: ids.uuid(), ip: null, userAgent: command, origin: null },
    server: serverFacts(db, config),
    security: { ...config.security, secret },
    storage,
    images: createImages({ limits: config.images, log: quietLog }),
    assets: config.assets,
    files: config.files,
    outbound: createOutbound(createAddressRule(config.importAddresses)),
    resumable: createResumable(),
    forgetActors: () => announce(db, 'access'),
    schemas: {
      load: (inner) => loadSchema(inner, options),
      announce: (inner) => announce(inner, 'schema'),
      refresh: () => loadSchema(db, options),
    },
  }
}

/** Commands send no mail. */
const noMail: Context['mail'] = {
  prepare: () => Promise.resolve(),
  verify: () => Promise.resolve(),
  send: () => undefined,
  sendLetter: () => undefined,
}

/** Facts of a server that answers no requests. */
function serverFacts(db: OpenDatabase, { http, dataDir, compatibleVersion }: Config): Context['server'] {
  return {
    version: packageJson.version,
    publicUrl: http.publicUrl,
    maxImport: 0,
    dataDir,
    instance: ids.uuid(),
    isReady: () => true,
    leavesSetup: false,
    systemAliases: true,
    compatibleVersion,
    agents: false,
    pingDatabase: () => db.ping(),
    address: () => http.publicUrl ?? '',
    rates: { perAddress: false, altogether: false },
    purgeAnswers: () => Promise.resolve(),
  }
}

type CommandContextOptions = {
  readonly generation: Pick<GenerationDefinition, 'createView'>
  readonly command: string
  readonly storage?: StorageLocations
  readonly secret?: string
}
