/** Transports: each delivers one rendered mail and resolves when it is accepted. */
import { type ChildProcess, spawn } from 'node:child_process'
import { access, constants, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { TransportSettings } from './settings.ts'

/** An address with its display name; an empty name is left out. */
export type Mailbox = { readonly name: string; readonly address: string }

export type Envelope = {
  readonly subject: string
  /** Null for a mail that has only the other part. */
  readonly text: string | null
  readonly html: string | null
  readonly from: string | Mailbox
  readonly to: Mailbox
  readonly replyTo?: Mailbox
}

export type Transport = {
  readonly deliver: (mail: Envelope) => Promise<void>
  /** Tests the connection and the settings; rejects on failure. */
  readonly verify: () => Promise<void>
  readonly close: () => void
}

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

/** SMTP with timeouts short enough for users who wait for a mail. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 } as const

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
    ...timeouts,
  }
}

/** Sendmail. A process that hangs would block all later mails, so it is killed. */
function sendmailTransport({ path, newline }: Extract<TransportSettings, { readonly kind: 'sendmail' }>): Transport {
  const transporter = createTransport({ sendmail: true, path, newline })
  const closed = new AbortController()
  const bounds = { timeout: timeouts.socketTimeout, killSignal: 'SIGKILL', signal: closed.signal } as const
  // The output of the process is ignored, because a full pipe would block it.
  const start = (program: string, words: readonly string[]): ChildProcess =>
    spawn(program, words, { ...bounds, stdio: ['pipe', 'ignore', 'ignore'] })
  // The library exposes its spawn function only for tests; replacing it gives access to the process.
  Object.assign(transporter.transporter, { _spawn: start })
  return {
    deliver: async (mail) => void (await transporter.sendMail(toMessage(mail))),
    verify: () => access(path, constants.X_OK),
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

/** The mail to send. Addresses are passed as values, not as lists to parse; templates cannot attach files or URLs. */
const toMessage = ({ from, to, replyTo, subject, text, html }: Envelope) => ({
  from,
  to,
  ...(replyTo === undefined ? {} : { replyTo }),
  subject,
  ...(text === null ? {} : { text }),
  ...(html === null ? {} : { html }),
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Limit of mails in the folder. The oldest ones are deleted. */
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

/** Creates only the mail folder. A missing data directory is an error. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Prints mails, for development. The log is not used, because it must not contain login links. */
function consoleTransport(): Transport {
  return {
    deliver: async ({ to, subject, text, html }) =>
      void process.stdout.write(`\nMail to ${to.address}: ${subject}\n\n${text ?? html}\n`),
    verify: () => Promise.resolve(),
    close: () => {},
  }
}
