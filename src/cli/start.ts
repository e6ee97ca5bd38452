/** `tandem start`: serves until it is asked to stop, and then stops in order. */
import { flushCompileCache } from 'node:module'
import { type App, createApp } from '../app.ts'
import { loadConfig } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import type { Config } from '../config-sections.ts'
import { createLog, type OpenLog } from '../log.ts'
import { withProgress } from './progress.ts'

/** Starts the server, says where it is, and resolves when it has stopped. */
export async function start(): Promise<void> {
  const config = loadConfig()
  const log = createLog(config.log)
  const stopped = Promise.withResolvers<void>()
  const label = config.database.kind === 'pglite' ? 'Opening the embedded database' : 'Opening the database'
  const app = await withProgress(label, () => createApp(config, { log }))
  handleSignals(app, log, stopped)
  const url = await app.listen().catch(async (error: NodeJS.ErrnoException) => {
    await app.close(0)
    throw toListenError(error, config)
  })
  process.stdout.write(welcome(config, app, url))
  flushCompileCache()
  await stopped.promise
}

/** Why nothing can listen there, by the setting that says where. */
function toListenError(error: NodeJS.ErrnoException, { http }: Config): Error {
  const port = { EADDRINUSE: 'a port that nobody listens on', EACCES: 'a port that this user may listen on' }[
    error.code ?? ''
  ]
  if (port !== undefined) return new ConfigError('PORT', port, String(http.port))
  if (['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(error.code ?? ''))
    return new ConfigError('HOST', 'an address of this machine', JSON.stringify(http.host.slice(0, 80)))
  return error
}

/** The first SIGTERM or SIGINT stops in order, a second one at once; a bug that nobody caught ends the process. */
function handleSignals(app: App, log: OpenLog, stopped: PromiseWithResolvers<void>): void {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      log.info({ signal }, 'Stopping')
      app.close().then(
        () => {
          log.info({}, 'Stopped')
          log.flush()
          stopped.resolve()
        },
        (error: unknown) => die(error),
      )
    })
  }
  const die = (error: unknown): void => {
    log.error({ err: error }, 'Ending after an error that nobody caught')
    log.flush()
    process.exit(1)
  }
  const drain = (error: unknown): void => {
    log.error({ err: error }, 'An error that nobody caught; running requests may finish, then the program ends')
    setTimeout(() => die(error), 6000).unref()
    void app.close(5000).finally(() => {
      log.flush()
      process.exit(1)
    })
  }
  process.on('uncaughtException', drain)
  process.on('unhandledRejection', drain)
}

/** What a person who has just typed the command wants to know. */
function welcome(config: Config, app: App, url: string): string {
  const { admin, collections } = app
  const lines = ['', `Tandem serves ${app.source} at ${url}`, `  API reference   ${url}/docs`]
  const names = collections.slice(0, 6).join(', ')
  lines.push(`  Collections     ${collections.length === 0 ? 'none yet' : names}${collections.length > 6 ? ', …' : ''}`)
  if (admin !== null) {
    lines.push(`  Administrator   ${admin.email}`)
    if (admin.password !== null) lines.push(`  Password        ${admin.password}   (generated; it is not shown again)`)
  }
  if (config.admin === null) lines.push(`  Administrator   made by POST ${url}/server/setup, while there is none`)
  if (app.secretFile !== null && config.database.kind === 'pg') {
    lines.push(`  SECRET is not set: the one in ${app.secretFile} is used; replicas must share it.`)
  }
  return `${[...lines, '', 'Try', ...tryThis(config, app, url), ''].join('\n')}\n`
}

/** A login where the password is at hand, and one request per generation. */
function tryThis(config: Config, app: App, url: string): readonly string[] {
  const [collection] = app.collections
  const current = `${url}${collection === undefined ? '/users/me' : `/items/${collection}?limit=3`}`
  const legacy = `${url}/_/${collection === undefined ? '' : `items/${collection}?limit=3`}`
  if (config.admin === null) return [`  curl ${url}/server/info`]
  if (config.admin.token !== null) {
    return [current, legacy].map((address) => `  curl -H "Authorization: Bearer $ADMIN_TOKEN" '${address}'`)
  }
  const email = app.admin?.email ?? config.admin.email
  const password = app.admin?.password ?? '<password>'
  const login = `  TOKEN=$(curl -s ${url}/auth/login -H 'Content-Type: application/json' -d '{"email":"${email}","password":"${password}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
  return [login, ...[current, legacy].map((address) => `  curl -H "Authorization: Bearer $TOKEN" '${address}'`)]
}
