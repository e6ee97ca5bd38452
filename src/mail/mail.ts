/** The outbox: a queue in memory that sends mails one by one in the background. */
import type { Log } from '../domain/ports/context.ts'
import type { Letter, Mail, MailMessage } from '../domain/ports/mail.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { MailSettings } from './settings.ts'
import type { Transport } from './transports.ts'

/** An outbox that can be flushed and closed. */
export type Outbox = Mail & {
  /** Resolves when the queue is empty, or after `deadline` milliseconds. */
  readonly close: (deadline: number) => Promise<void>
}

/** Limit of queued mails, which bounds memory. */
const mostWaiting = 1000

type Sender = {
  readonly send: (message: MailMessage) => Promise<void>
  readonly sendLetter: (letter: Letter) => Promise<void>
  readonly transport: Transport
}

/** Creates the outbox. Libraries are loaded by the first `prepare`. */
export function createOutbox(settings: MailSettings, log: Log, most = mostWaiting): Outbox {
  let sender: Promise<Sender> | null = null
  const open = (): Promise<Sender> => (sender ??= openSender(settings))
  if (settings.verify && settings.transport.kind === 'smtp') {
    void open()
      .then(({ transport }) => transport.verify())
      .catch((error: unknown) => log.warn(factsOf(error), 'The mail server rejects the configured settings'))
  }
  if (settings.templates !== null)
    void open().catch((error: unknown) => log.error({ err: error }, 'The mail templates are invalid; no mail is sent'))
  const line = createSendingLine(open, log, most)
  return {
    // The error is logged with each mail that fails.
    prepare: () =>
      open().then(
        () => {},
        () => {},
      ),
    verify: () =>
      open()
        .then(({ transport }) => transport.verify())
        .catch((error: unknown) => {
          log.error(factsOf(error), 'The mail server rejects the configured settings')
          throw toMailFailure(error)
        }),
    send: (message) => line.enqueue(message.template, (sender) => sender.send(message)),
    sendLetter: (letter) => line.enqueue('letter', (sender) => sender.sendLetter(letter)),
    async close(deadline) {
      await withDeadline(line.sent(), deadline)
      const opened = sender === null ? null : await sender.catch(() => null)
      opened?.transport.close()
    },
  }
}

/** Mails are sent one after another; failures and those beyond `most` are logged. */
function createSendingLine(open: () => Promise<Sender>, log: Log, most: number) {
  let tail = Promise.resolve()
  let waiting = 0
  const deliver = async (template: string, work: (sender: Sender) => Promise<void>): Promise<void> => {
    try {
      await work(await open())
      log.debug({ template }, 'Mail sent')
    } catch (error) {
      log.error({ template, ...factsOf(error) }, 'Mail could not be sent')
    } finally {
      waiting -= 1
    }
  }
  return {
    enqueue(template: string, work: (sender: Sender) => Promise<void>): void {
      if (waiting >= most) {
        log.error({ template }, 'Mail dropped: the queue is full')
        return
      }
      waiting += 1
      tail = tail.then(() => deliver(template, work))
    },
    /** Resolves when all mails of this moment are sent. */
    sent: () => tail,
  }
}

async function openSender({ from, transport: settings, templates }: MailSettings): Promise<Sender> {
  const { createRenderer } = await import('./render.ts')
  const { renderLetter } = await import('./letters.ts')
  const { openTransport } = await import('./transports.ts')
  const render = createRenderer(templates)
  const transport = openTransport(settings)
  const send = async (message: MailMessage): Promise<void> =>
    transport.deliver({ ...(await render(message)), from, to: { name: '', address: message.to } })
  const sendLetter = async ({ to, name, text }: Letter): Promise<void> =>
    transport.deliver({ ...renderLetter(text, from), to: { name: name ?? '', address: to } })
  return { send, sendLetter, transport }
}

/** Codes of the library for settings that the mail server refuses. */
const refusedSettings: ReadonlySet<unknown> = new Set(['EAUTH', 'ETLS', 'ENOAUTH', 'EOAUTH2'])

function toMailFailure(error: unknown): TandemError {
  const { code } = error as { readonly code?: unknown }
  const failure = { kind: 'mail-failed' } as const
  if (code === 'ENOENT' || code === 'EACCES')
    return new TandemError(
      { ...failure, problem: 'transport', reason: 'The program that sends mail cannot be started' },
      { cause: error },
    )
  if (refusedSettings.has(code))
    return new TandemError(
      { ...failure, problem: 'options', reason: 'The mail server refuses its settings' },
      { cause: error },
    )
  return new TandemError({ ...failure, problem: 'server', reason: 'The mail server cannot be used' }, { cause: error })
}

/** Only the codes of mail server errors are logged, because their messages contain addresses. */
function factsOf(error: unknown): object {
  const { code, responseCode, command } = error as { code?: unknown; responseCode?: unknown; command?: unknown }
  const name = error instanceof Error ? error.name : typeof error
  return { error: name, code: code ?? null, responseCode: responseCode ?? null, command: command ?? null }
}

async function withDeadline(work: Promise<void>, deadline: number): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, deadline)
  await Promise.race([work, over.promise])
  clearTimeout(timer)
}
