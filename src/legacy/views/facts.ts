/** Builds the information about a project and its server. */

import type { PublicSettings } from '../../core/server/server.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import type { components } from '../../generated/legacy.ts'

/** Whether the caller must set up a second factor first. */
export const awaitsSecondFactor = (actor: Actor): boolean =>
  actor.kind === 'user' && actor.access.awaitsSecondFactor === true

type Schemas = components['schemas']

/** The last release of version 8, whose API this generation serves. */
const servedVersion = '8.8.1'

/** Name and appearance of a project, for everybody. */
export function toProjectFacts(settings: PublicSettings, origin: string, requires2FA = false): Schemas['ProjectInfo'] {
  return {
    requires2FA,
    project_name: settings.project_name,
    project_logo: toImage(settings.project_logo, origin),
    project_color: settings.project_color ?? null,
    project_foreground: toImage(settings.public_foreground, origin),
    project_background: toImage(settings.public_background, origin),
    project_public_note: settings.public_note ?? null,
    default_locale: settings.default_language ?? null,
    telemetry: false,
  }
}

/** As above with information about the server, for users. */
export function toServerFacts(
  ctx: Pick<Context, 'db' | 'actor' | 'server' | 'files'>,
  settings: PublicSettings,
  origin: string,
) {
  const api: Schemas['ProjectInfo'] = {
    version: servedVersion,
    tandem: ctx.server.version,
    database: ctx.db.dialect,
    ...toProjectFacts(settings, origin, awaitsSecondFactor(ctx.actor)),
  }
  const server: Schemas['ServerInfo'] = {
    // Clients refuse larger files themselves; without a limit this is a number that no file reaches.
    max_upload_size: ctx.files.maxSize ?? Number.MAX_SAFE_INTEGER,
    general: { php_version: process.versions.node, php_api: 'node' },
  }
  return { api, server }
}

/** URLs of an image, by the file's uuid. */
function toImage(file: string | null | undefined, origin: string): Schemas['ProjectImage'] {
  if (file == null) return null
  const url = `/assets/${file}`
  return { full_url: `${origin}${url}`, url, asset_url: url }
}
