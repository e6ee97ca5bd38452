/** The outbox: mails wait in memory and leave one after the other, so that nobody waits for a mail server. */
import type { Log } from '../domain/context.ts'
import type { Mail, MailMessage } from '../domain/mail.ts'
import type { MailSettings } from './settings.ts'
import type { Transport } from './transports.ts'

/** An outbox that can be emptied and closed. */
export type Outbox = Mail & {
  /** Resolves when nothing waits any more, or after `deadline` ms. */
  readonly close: (deadline: number) => Promise<void>
}

/** Mails that wait at most; more than a mail server can take would fill the memory. */
const mostWaiting = 1000

type Sender = { readonly send: (message: MailMessage) => Promise<void>; readonly transport: Transport }

/** Opens the outbox. The libraries are loaded when somebody prepares a mail. */
export function createOutbox(settings: MailSettings, log: Log, most = mostWaiting): Outbox {
  let sender: Promise<Sender> | null = null
  let tail = Promise.resolve()
  let waiting = 0
  const open = (): Promise<Sender> => (sender ??= openSender(settings))
  if (settings.verify && settings.transport.kind === 'smtp') {
    void open()
      .then(({ transport }) => transport.verify())
      .catch((error: unknown) => log.warn(factsOf(error), 'The mail server cannot be used as it is configured'))
  }
  if (settings.templates !== null)
    void open().catch((error: unknown) =>
      log.error({ err: error }, 'The mail templates cannot be used: no mail leaves'),
    )
  const deliver = async (message: MailMessage): Promise<void> => {
    try {
      await (await open()).send(message)
      log.debug({ template: message.template }, 'Sent a mail')
    } catch (error) {
      log.error({ template: message.template, ...factsOf(error) }, 'A mail could not be sent')
    } finally {
      waiting -= 1
    }
  }
  return {
    // What is wrong is told with each mail that does not leave.
    prepare: () =>
      open().then(
        () => {},
        () => {},
      ),
    send(message) {
      if (waiting >= most) {
        log.error({ template: message.template }, 'A mail was dropped: too many wait')
        return
      }
      waiting += 1
      tail = tail.then(() => deliver(message))
    },
    async close(deadline) {
      await withDeadline(tail, deadline)
      const opened = sender === null ? null : await sender.catch(() => null)
      opened?.transport.close()
    },
  }
}

async function openSender({ from, transport: settings, templates }: MailSettings): Promise<Sender> {
  const { createRenderer } = await import('./render.ts')
  const { openTransport } = await import('./transports.ts')
  const render = createRenderer(templates)
  const transport = openTransport(settings)
  const send = async (message: MailMessage): Promise<void> =>
    transport.deliver({ ...(await render(message)), from, to: message.to })
  return { send, transport }
}

/** What mail servers say repeats addresses; their codes do not. */
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
