/**
 * The table of all environment variables that Tandem reads: description, type and default. `config/config.ts` parses
 * values with it, and `tandem start --help` prints it.
 */
import type { Setting } from './kinds.ts'
import { providersSettings } from './providers/provider-settings.ts'
import { administratorSettings, mailSettings, tokenSettings } from './settings/accounts.ts'
import { cacheSettings, redisSettings } from './settings/caches.ts'
import { databaseSettings } from './settings/database.ts'
import { feedSettings, socketSettings, webhookSettings } from './settings/feed.ts'
import { fileSettings } from './settings/files.ts'
import { limitSettings, rateSettings } from './settings/limits.ts'
import { pressureSettings, telemetrySettings, usageSettings } from './settings/operation.ts'
import {
  corsSettings,
  historySettings,
  legacySettings,
  logSettings,
  projectSettings,
  serverSettings,
} from './settings/server.ts'

/** The table. Its order and groups are those of the help text. */
export const settings = {
  Server: serverSettings,
  Database: databaseSettings,
  Projects: projectSettings,
  'First administrator': administratorSettings,
  'Tokens and passwords': tokenSettings,
  'Identity providers': providersSettings,
  Mail: mailSettings,
  Limits: limitSettings,
  'Version 8': legacySettings,
  'Use by clients': usageSettings,
  'Rate limits': rateSettings,
  Pressure: pressureSettings,
  Telemetry: telemetrySettings,
  'Response cache': cacheSettings,
  Redis: redisSettings,
  'Cross-origin and transport': corsSettings,
  History: historySettings,
  Changes: feedSettings,
  Webhooks: webhookSettings,
  'Live connections': socketSettings,
  Files: fileSettings,
  Log: logSettings,
} as const

type Union<T> = (T extends unknown ? (each: T) => void : never) extends (each: infer I) => void ? I : never

/** All rows of the table, without groups. */
export type Settings = Union<(typeof settings)[keyof typeof settings]>

export type Values = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }

/** Name and row of every setting, in order. */
export const settingList: readonly (readonly [string, Setting<unknown>])[] = Object.values(settings).flatMap((group) =>
  Object.entries(group as { readonly [name: string]: Setting<unknown> }),
)
