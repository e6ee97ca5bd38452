/** Ways out: each takes one rendered mail and says, by resolving, that it is on its way. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { RenderedMail } from './render.ts'
import type { TransportSettings } from './settings.ts'

export type Envelope = RenderedMail & { readonly from: string; readonly to: string }

export type Transport = {
  readonly deliver: (mail: Envelope) => Promise<void>
  /** Rejects when nothing could be delivered as things are. */
  readonly verify: () => Promise<void>
  readonly close: () => void
}

/** Opens the configured way out. */
export function openTransport(settings: TransportSettings): Transport {
  switch (settings.kind) {
    case 'file':
      return fileTransport(settings.folder)
    case 'console':
      return consoleTransport()
    case 'sendmail':
      return sendmailTransport(settings)
    case 'smtp':
      return viaNodemailer(toSmtp(settings))
  }
}

/** A server that does not answer is given up before whoever waits for the mail has forgotten it. */
const patience = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 } as const

function toSmtp(settings: Extract<TransportSettings, { readonly kind: 'smtp' }>): object {
  const { host, port, user, password, pool, secure, ignoreTls, name } = settings
  return {
    host,
    pool,
    secure,
    ignoreTLS: ignoreTls,
    ...(port === null ? {} : { port }),
    ...(name === null ? {} : { name }),
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    ...patience,
  }
}

/** A program that hangs would hold up every mail after its own, and the end of this one: it is ended itself. */
function sendmailTransport({ path, newline }: Extract<TransportSettings, { readonly kind: 'sendmail' }>): Transport {
  const transporter = createTransport({ sendmail: true, path, newline })
  const closed = new AbortController()
  const bounds = { timeout: patience.socketTimeout, killSignal: 'SIGKILL', signal: closed.signal } as const
  // Nothing reads what it says, so that nobody waits for the end of that.
  const start = (program: string, words: readonly string[]): ChildProcess =>
    spawn(program, words, { ...bounds, stdio: ['pipe', 'ignore', 'ignore'] })
  // What the library starts programs by, which it leaves to others for their tests.
  Object.assign(transporter.transporter, { _spawn: start })
  return {
    deliver: async (mail) => void (await transporter.sendMail(toMessage(mail))),
    verify: () => Promise.resolve(),
    close: () => closed.abort(),
  }
}

function viaNodemailer(options: object): Transport {
  const transporter = createTransport(options)
  return {
    deliver: async (mail) => void (await transporter.sendMail(toMessage(mail))),
    verify: async () => void (await transporter.verify()),
    close: () => transporter.close(),
  }
}

/** The address is one value, not a list to be read; nothing is fetched from files or from the network. */
const toMessage = ({ from, to, subject, text, html }: Envelope) => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Mails that are kept in the folder; older ones make room. */
const mostFiles = 1000

function fileTransport(folder: string): Transport {
  const transporter = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  let count = 0
  return {
    async deliver(mail) {
      const { message } = await transporter.sendMail(toMessage(mail))
      await makeFolder(folder)
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}-${(count += 1)}.eml`
      await writeFile(join(folder, name), message as Buffer, { mode: 0o600, flag: 'wx' })
      const names = (await readdir(folder)).filter((each) => each.endsWith('.eml')).toSorted()
      for (const old of names.slice(0, Math.max(0, names.length - mostFiles)))
        await rm(join(folder, old), { force: true })
    },
    verify: () => Promise.resolve(),
    close: () => {},
  }
}

/** Not what is above it: a data directory that is gone is a fault, and stays one. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** For people at a terminal; on purpose past the log, which keeps no links that open accounts. */
function consoleTransport(): Transport {
  return {
    deliver: async ({ to, subject, text }) => void process.stdout.write(`\nMail to ${to}: ${subject}\n\n${text}\n`),
    verify: () => Promise.resolve(),
    close: () => {},
  }
}
