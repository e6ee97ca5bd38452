/** `tandem start`: runs the server until it is stopped by a signal. */
import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { type App, createApp } from '../app.ts'
import { loadConfig } from '../config/config.ts'
import { ConfigError } from '../config/error.ts'
import { warnOf } from '../config/misspelt.ts'
import type { Config } from '../config/sections.ts'
import { assertFree } from '../http/app/listen.ts'
import { createLog, type OpenLog } from '../log.ts'
import { withProgress } from './progress.ts'
import { endBy, endOnSignal, stopSignals } from './signals.ts'

/** Starts the server, prints its address, and resolves after the shutdown. */
export async function start(): Promise<void> {
  const config = loadConfig()
  const log = createLog(config.log)
  warnOf(config.misspelt, log)
  const stopped = Promise.withResolvers<void>()
  // Checked before the database is opened, which takes seconds and may migrate it.
  await assertFree(config.http).catch((error: NodeJS.ErrnoException) => {
    throw toListenError(error, config)
  })
  const isEmbedded = config.projects === null && config.database.kind === 'pglite'
  const label = isEmbedded ? 'Opening the embedded database' : 'Opening the database'
  const release = endOnSignal()
  const app = await withProgress(label, () => createApp(config, { log }))
  release()
  handleSignals(app, { log, stopped, deadline: config.shutdownTimeout })
  const url = await app.listen().catch(async (error: NodeJS.ErrnoException) => {
    await app.close(0)
    throw toListenError(error, config)
  })
  process.stdout.write(welcome(config, app, url))
  flushCompileCache()
  setFlagsFromString('--semi-space-growth-factor=2')
  await stopped.promise
}

/** Turns a failure to listen into an error that names the setting. */
function toListenError(error: NodeJS.ErrnoException, { http }: Config): Error {
  const port = { EADDRINUSE: 'a port that nobody listens on', EACCES: 'a port that this user may listen on' }[
    error.code ?? ''
  ]
  if (port !== undefined) return new ConfigError('PORT', port, String(http.port))
  if (['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(error.code ?? ''))
    return new ConfigError('HOST', 'an address of this machine', JSON.stringify(http.host.slice(0, 80)))
  return error
}

type StopOptions = {
  readonly log: OpenLog
  readonly stopped: PromiseWithResolvers<void>
  /** Milliseconds that running requests get to finish. */
  readonly deadline: number
}

/** Milliseconds for cleaning up after the deadline. */
const tidying = 3000

/** The first SIGTERM or SIGINT starts a graceful shutdown, a second one ends the process at once. Uncaught errors end the process. */
function handleSignals(app: App, { log, stopped, deadline }: StopOptions): void {
  let stopping = false
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (stopping) return endAtOnce(log)
      stopping = true
      log.info({ signal }, 'Stopping')
      setTimeout(() => {
        log.warn({}, 'Stopping before all work is finished')
        endAtOnce(log)
      }, deadline + tidying).unref()
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
    log.error({ err: error }, 'Stopping after an uncaught error')
    log.flush()
    process.exit(1)
  }
  const drain = (error: unknown): void => {
    log.error({ err: error }, 'Uncaught error; shutting down after running requests')
    setTimeout(() => endAtOnce(log), 6000).unref()
    void app.close(5000).finally(() => {
      log.flush()
      process.exit(1)
    })
  }
  process.on('uncaughtException', drain)
  process.on('unhandledRejection', drain)
}

/** Ends the process at once. A normal exit would wait for worker threads, for example for a password hash. */
function endAtOnce(log: OpenLog): void {
  log.flush()
  // Gives the log time to write its last line.
  setTimeout(() => endBy('SIGKILL'), 100)
}

function welcome(config: Config, app: App, url: string): string {
  const { admin, collections } = app
  const pages = [
    `  Application     ${url}/admin`,
    `  API reference   ${url}/docs`,
    `  Guide           ${url}/docs/guide`,
  ]
  const lines = ['', `Tandem serves ${app.source} at ${url}`, ...pages]
  const names = collections.slice(0, 6).join(', ')
  lines.push(`  Collections     ${collections.length === 0 ? 'none yet' : names}${collections.length > 6 ? ', …' : ''}`)
  if (admin !== null) {
    lines.push(`  Administrator   ${admin.email}`)
    if (admin.password !== null) lines.push(`  Password        ${admin.password}   (generated; it is not shown again)`)
  }
  if (config.admin === null) lines.push(`  Administrator   create one by POST ${url}/server/setup`)
  if (app.secretFile !== null && config.database.kind === 'pg') {
    lines.push(`  SECRET is not set; using the generated one in ${app.secretFile}. All replicas need the same.`)
  }
  return `${[...lines, '', 'Try', ...exampleLines(config, app, url), ''].join('\n')}\n`
}

/** Example commands: a login, if the password is known, and one request per generation. */
function exampleLines(config: Config, app: App, url: string): readonly string[] {
  const [first] = app.collections
  const collection = first === undefined ? undefined : encodeURIComponent(first).replaceAll("'", '%27')
  const current = `${url}${collection === undefined ? '/users/me' : `/items/${collection}?limit=3`}`
  const legacy = `${url}/_/${collection === undefined ? '' : `items/${collection}?limit=3`}`
  if (config.admin === null) return [`  curl ${url}/server/info`]
  const requests = [current, legacy].map((address) => `  curl -H "Authorization: Bearer $TOKEN" '${address}'`)
  if (app.hasAdminToken) return ["  TOKEN='<the value of ADMIN_TOKEN>'", ...requests]
  const email = app.admin?.email ?? '<email>'
  const password = app.admin?.password ?? '<password>'
  const login = `  TOKEN=$(curl -s ${url}/auth/login -H 'Content-Type: application/json' -d '{"email":"${email}","password":"${password}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
  return [login, ...requests]
}
