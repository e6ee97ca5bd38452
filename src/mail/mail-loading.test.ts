/** When the libraries of mail are loaded. */
import { expect, test, vi } from 'vitest'
import { createOutbox } from './mail.ts'

const events: string[] = []

vi.mock('./transports.ts', () => {
  events.push('loaded')
  const transport = {
    deliver: () => Promise.resolve(void events.push('delivered')),
    verify: () => Promise.resolve(),
    close: () => {},
  }
  return { openTransport: () => transport }
})

const silent = (): void => {}

test('libraries are loaded once, with the first prepared mail', async () => {
  const settings = {
    from: 'no-reply@example.com',
    transport: { kind: 'console' },
    templates: null,
    verify: true,
  } as const
  const outbox = createOutbox(settings, { debug: silent, info: silent, warn: silent, error: silent })
  expect(events).toEqual([])
  await Promise.all([outbox.prepare(), outbox.prepare()])
  expect(events).toEqual(['loaded'])
  const data = { projectName: 'Test', projectColor: '', projectUrl: '', url: 'https://example.com' }
  outbox.send({ to: 'ann@example.com', template: 'password-reset', data })
  await outbox.close(5000)
  expect(events).toEqual(['loaded', 'delivered'])
})
