/** Settings and facts of the program → what this generation says about a project and its server. */

import type { Context } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'

/** Whether the caller has to set a second factor up before anything else. */
export const awaitsSecondFactor = (actor: Actor): boolean =>
  actor.kind === 'user' && actor.access.awaitsSecondFactor === true

type Settings = { readonly [setting: string]: unknown }
type Facts = { readonly [name: string]: unknown }

/** Name and looks of a project, for everybody. */
export function toProjectFacts(settings: Settings, origin: string, requires2FA = false): Facts {
  return {
    requires2FA,
    project_name: settings['project_name'] ?? null,
    project_logo: toImage(settings['project_logo'], origin),
    project_color: settings['project_color'] ?? null,
    project_foreground: toImage(settings['public_foreground'], origin),
    project_background: toImage(settings['public_background'], origin),
    project_public_note: settings['public_note'] ?? null,
    default_locale: settings['default_language'] ?? null,
    telemetry: false,
  }
}

/** The same and the facts of the server, for users. */
export function toServerFacts(ctx: Context, settings: Settings, origin: string) {
  const { version } = ctx.server
  const api: Facts = {
    version,
    database: ctx.db.dialect,
    ...toProjectFacts(settings, origin, awaitsSecondFactor(ctx.actor)),
  }
  const server: Facts = {
    // Clients refuse larger files by themselves; without a limit any number is one, and this one is never met.
    max_upload_size: ctx.files.maxSize ?? Number.MAX_SAFE_INTEGER,
    general: { php_version: process.versions.node, php_api: 'node' },
  }
  return { api, server }
}

/** A file's uuid as the addresses under which its picture is served. */
function toImage(file: unknown, origin: string): Facts | null {
  if (typeof file !== 'string') return null
  const url = `/assets/${file}`
  return { full_url: `${origin}${url}`, url, asset_url: url }
}
