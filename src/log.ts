/** Structured logs, and the one place where secrets are taken out of them. */
import pino from 'pino'
import type { Config } from './config/sections.ts'
import type { Log } from './domain/ports/context.ts'

/** A logger, and what writes out its last lines before the program ends. */
export type OpenLog = Log & { readonly flush: () => void }

/** Where finished lines go; each ends with a line break. */
export type LogSink = { write(line: string): void; flushSync?(): void }

/**
 * Standard output, some lines at a time: one system call per line costs as much as the rest of the
 * line, and so does handing them on one by one. What waits is written after a quarter of a second, at once after an
 * error, and at the end.
 */
function createOutput(): LogSink {
  const output = pino.destination({ sync: false })
  let waiting = ''
  const handOn = (): void => {
    if (waiting !== '') output.write(waiting)
    waiting = ''
  }
  const flushSync = (): void => {
    handOn()
    output.flushSync()
  }
  setInterval(handOn, 250).unref()
  process.once('exit', flushSync)
  return {
    write(line) {
      waiting += line
      if (waiting.length >= 16_000) handOn()
    },
    flushSync,
  }
}

/** Makes the program's logger. Lines go to `sink`, by default standard output. */
export function createLog(options: Config['log'], sink: LogSink = createOutput()): OpenLog {
  const target: LogSink = options.style === 'pretty' ? { write: (line) => sink.write(toPretty(line)) } : sink
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: isoTime,
      // Errors are taken apart by redact.
      serializers: { err: (error: unknown) => error },
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
    },
    target,
  )
  return {
    debug: (detail, message) => logger.debug(detail, message),
    info: (detail, message) => logger.info(detail, message),
    warn: (detail, message) => logger.warn(detail, message),
    error: (detail, message) => {
      logger.error(detail, message)
      sink.flushSync?.()
    },
    flush: () => sink.flushSync?.(),
  }
}

/** The time up to its seconds, which many lines share. */
let last = { second: 0, text: '' }
const isoTime = (): string => {
  const at = Date.now()
  const second = Math.floor(at / 1000)
  if (second !== last.second) last = { second, text: `,"time":"${new Date(at).toISOString().slice(0, 20)}` }
  return `${last.text}${String(at - second * 1000).padStart(3, '0')}Z"`
}

const mask = '--redacted--'
const secretKey = /pass(word|wd)|token|secret|cookie|authorization|api[-_]?key|otp$|connection_?string/i
const secretText =
  /((?:access_token|refresh_token|token|password|secret|otp)=)[^&\s"']+|(\b(?:Bearer|Basic) +)[\w.~+/=-]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*|\$(?:argon2\w*|2[aby])\$[\w$,=+/.-]+|(\w+:\/\/[^\s:/@]*:)[^\s@]+(?=@)/gi

/** The detail as it is if it holds no secret and nothing that could, as the line of a request does; else a copy. */
function withoutSecrets(detail: Record<string, unknown>): Record<string, unknown> {
  for (const key in detail) {
    const value = detail[key]
    if (isSecretKey(key)) return redact(detail) as Record<string, unknown>
    if (typeof value === 'number' || typeof value === 'boolean' || ownKeys.has(key)) continue
    if (typeof value !== 'string' || redactText(value) !== value) return redact(detail) as Record<string, unknown>
  }
  return detail
}

/** A copy of a log line's detail without secrets: by the names of its keys and by the look of its texts. */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > 6) return '…'
  if (value instanceof Error) return redactError(value, depth)
  if (value instanceof Date) return value
  if (Array.isArray(value)) return value.map((each) => redact(each, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(value)) {
    copy[key] = isSecretKey(key) ? mask : typeof each === 'number' || ownKeys.has(key) ? each : redact(each, depth + 1)
  }
  return copy
}

/** What the server itself has made up, in the line of every request. */
const ownKeys: ReadonlySet<string> = new Set(['requestId', 'method', 'aborted'])

/** The same few keys are in every line. */
const judgedKeys = new Map<string, boolean>()
const isSecretKey = (key: string): boolean => {
  const cached = judgedKeys.get(key)
  if (cached !== undefined) return cached
  const isSecret = secretKey.test(key)
  if (judgedKeys.size < 1000) judgedKeys.set(key, isSecret)
  return isSecret
}

/** No secret is without one of these: most texts, paths above all, are not looked at any closer. */
const suspicious = /[=$@ ]|eyj/i

const redactText = (text: string): string =>
  !suspicious.test(text)
    ? text
    : text.replace(secretText, (_whole, name?: string, scheme?: string, address?: string) => {
        return `${name ?? scheme ?? address ?? ''}${mask}`
      })

function redactError(error: Error, depth: number): object {
  const { code, cause } = error as Error & { readonly code?: unknown }
  return {
    type: error.name,
    message: redactText(error.message),
    ...(code === undefined ? {} : { code }),
    stack: redactText(error.stack ?? ''),
    ...(cause === undefined ? {} : { cause: redact(cause, depth + 1) }),
  }
}

/** `12:00:01 info  message key=value` from a JSON line; a stack goes on lines of its own. */
function toPretty(line: string): string {
  const { level, time, msg, ...detail } = JSON.parse(line) as { level: string; time: string; msg: string }
  const stacks: string[] = []
  const parts = Object.entries(detail).map(([key, value]) => {
    const stack = (value as { stack?: unknown } | null)?.stack
    if (typeof stack === 'string') stacks.push(`\n${stack}`)
    return typeof stack === 'string' ? '' : ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${msg}${parts.join('')}${stacks.join('')}\n`
}
