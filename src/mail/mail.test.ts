import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import type { Log } from '../domain/ports/context.ts'
import type { LetterText, MailMessage } from '../domain/ports/mail.ts'
import { renderLetter } from './letters.ts'
import { createOutbox } from './mail.ts'
import { createRenderer } from './render.ts'
import type { MailSettings, TransportSettings } from './settings.ts'

const message: MailMessage = {
  to: 'ann@example.com',
  template: 'password-reset',
  data: {
    projectName: 'Bikes & <b>Co</b>',
    projectColor: '#123456',
    projectUrl: 'https://bikes.example.com',
    url: 'https://app.example.com/reset?from=a%22b&token=abc',
  },
}

const lines: { readonly level: string; readonly detail: object; readonly message: string }[] = []
const write = (level: string) => (detail: object, text: string) => void lines.push({ level, detail, message: text })
const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  lines.length = 0
})

const settingsOf = (transport: TransportSettings, verify = false): MailSettings => ({
  from: 'Tandem <no-reply@example.com>',
  transport,
  templates: null,
  verify,
})

function openOutbox(transport: TransportSettings, verify = false) {
  const outbox = createOutbox(settingsOf(transport, verify), log)
  closers.push(() => outbox.close(5000))
  return outbox
}

type Received = { readonly from: string; readonly to: readonly string[]; readonly user: string; readonly text: string }

async function openServer(refuses = false) {
  const received: Received[] = []
  const server = new SMTPServer({
    allowInsecureAuth: true,
    onAuth: ({ username = '', password }, _session, callback) =>
      password === 'let me in' ? callback(null, { user: username }) : callback(new Error('no such user')),
    onRcptTo: (_address, _session, callback) =>
      refuses ? callback(Object.assign(new Error('ann@example.com is unknown'), { responseCode: 550 })) : callback(),
    onData(stream, { envelope, user }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ from, to, user: String(user), text: Buffer.concat(chunks).toString() })
        callback()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise<void>((resolve) => server.close(resolve)))
  return { port: (server.server.address() as AddressInfo).port, received }
}

const smtp = (port: number, changes: object = {}): TransportSettings => ({
  kind: 'smtp',
  host: '127.0.0.1',
  port,
  user: 'tandem',
  password: 'let me in',
  pool: false,
  secure: false,
  ignoreTls: true,
  name: null,
  ...changes,
})

const unfolded = (text: string): string => text.replaceAll('=\r\n', '').replaceAll('=3D', '=')

test('a mail has a subject, a text and an HTML part in which values are escaped', async () => {
  const { subject, text, html } = await createRenderer(null)(message)
  expect(subject).toBe('Reset your password for Bikes & <b>Co</b>')
  expect(text).toContain(`Choose a new password:\n${message.data.url}\n`)
  expect(html).toContain('Bikes &amp; &lt;b&gt;Co&lt;/b&gt;')
  expect(html).not.toContain('<b>')
  expect(html).toContain('href="https://app.example.com/reset?from=a%22b&amp;token=abc"')
  expect(html).toContain('border-top: 4px solid #123456')
})

test.each(['password-reset', 'share-invitation', 'user-invitation', 'user-registration'] as const)(
  'the %s mail says whom it is for and where it leads, in both parts',
  async (template) => {
    const { text, html } = await createRenderer(null)({ ...message, template })
    for (const part of [text, html]) expect(part).toContain('ann@example.com')
    expect(text).toContain(message.data.url)
    expect(html).toContain('</html>')
  },
)

test('a name cannot inject a header, nor a color a style', async () => {
  const data = { ...message.data, projectName: 'A\r\nBcc: eve@example.com', projectColor: 'red;background:url(x)' }
  const { subject, html } = await createRenderer(null)({ ...message, data })
  expect(subject).toBe('Reset your password for A Bcc: eve@example.com')
  expect(html).toContain('border-top: 4px solid #6644FF')
})

const ownTemplates = (files: { readonly [name: string]: string }): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-templates-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('custom templates replace built-in ones and get the same data', async () => {
  const folder = ownTemplates({
    'base.html.liquid': '<main>{% block content %}{% endblock %}</main>',
    'password-reset.text.liquid': '{{ projectName }} at {{ projectUrl }}: {{ url }}{{ unknown }}',
  })
  const { subject, text, html } = await createRenderer(folder)(message)
  expect(subject).toBe('Reset your password for Bikes & <b>Co</b>')
  expect(text).toBe(`Bikes & <b>Co</b> at https://bikes.example.com: ${message.data.url}`)
  expect(html).toMatch(/^<main>[^]*Choose a new password[^]*<\/main>/)
  expect((await createRenderer(folder)({ ...message, template: 'user-invitation' })).text).toContain(message.data.url)
})

test('invalid templates are reported at the start', async () => {
  const templates = ownTemplates({ 'user-invitation.html.liquid': '{% if %}' })
  const outbox = createOutbox({ ...settingsOf({ kind: 'console' }), templates }, log)
  closers.push(() => outbox.close(5000))
  const line = { level: 'error', message: 'The mail templates are invalid; no mail is sent' }
  await expect.poll(() => lines).toMatchObject([line])
})

test.each([
  ['names a missing layout', '{% layout "nothing" %}'],
  ['is its own layout', '{% layout "password-reset" %}{% block content %}{% endblock %}'],
  ['contains itself', '{% render "password-reset" %}'],
  ['does not end', '{% for i in (1..1000000000) %}x{% endfor %}'],
])('a template that %s is refused before a mail is made of it', (_, text) => {
  const folder = ownTemplates({ 'password-reset.html.liquid': text })
  expect(() => createRenderer(folder)).toThrow(/nothing|limit exceeded|call stack/)
})

test('a template that is recursive only for some mails fails these mails', async () => {
  const text = '{% if projectName != "Tandem" %}{% render "password-reset", projectName: projectName %}{% endif %}'
  const render = createRenderer(ownTemplates({ 'password-reset.text.liquid': text }))
  await expect(render(message)).rejects.toThrow(/limit exceeded|call stack/)
}, 30_000)

test('SMTP: the server gets the mail with both parts, for one recipient', async () => {
  const { port, received } = await openServer()
  const outbox = openOutbox(smtp(port))
  outbox.send(message)
  outbox.send({ ...message, to: 'bo@example.com' })
  await outbox.close(5000)
  expect(received.map(({ from, to, user }) => [from, to, user])).toEqual([
    ['no-reply@example.com', ['ann@example.com'], 'tandem'],
    ['no-reply@example.com', ['bo@example.com'], 'tandem'],
  ])
  const text = received[0]?.text ?? ''
  expect(text).toMatch(/^From: Tandem <no-reply@example.com>\r$/m)
  expect(text).toMatch(/multipart\/alternative/)
  expect(unfolded(text)).toContain(message.data.url)
})

test('SMTP: a refused mail is logged without its address, and the next one leaves', async () => {
  const { port } = await openServer(true)
  const outbox = openOutbox(smtp(port))
  outbox.send(message)
  await outbox.close(5000)
  expect(lines).toMatchObject([{ level: 'error', detail: { template: 'password-reset', code: 'EENVELOPE' } }])
  expect(JSON.stringify(lines)).not.toMatch(/ann@example|token=|let me in/)
})

test('SMTP: invalid settings are reported at the start', async () => {
  const { port } = await openServer()
  const outbox = openOutbox(smtp(port, { password: 'wrong' }), true)
  outbox.send(message)
  await outbox.close(5000)
  await expect.poll(() => lines.map(({ level }) => level).toSorted()).toEqual(['error', 'warn'])
  expect(JSON.stringify(lines)).not.toContain('wrong')
})

const program = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-sendmail-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'sendmail'), `#!/bin/sh\n${text}\n`, { mode: 0o700 })
  return join(folder, 'sendmail')
}

test('sendmail: the program gets the recipients and the mail', async () => {
  const path = program('echo "$@" > "$0.words"; cat > "$0.mail"; echo done')
  const outbox = openOutbox({ kind: 'sendmail', path, newline: 'unix' })
  outbox.send(message)
  await outbox.close(5000)
  expect(readFileSync(`${path}.words`, 'utf8')).toBe('-i -f no-reply@example.com ann@example.com\n')
  expect(unfolded(readFileSync(`${path}.mail`, 'utf8').replaceAll('\n', '\r\n'))).toContain(message.data.url)
  expect(lines.filter(({ level }) => level !== 'debug')).toEqual([])
})

test('sendmail: a hanging program is killed after a timeout', async () => {
  const path = program('echo $$ > "$0.id"; exec sleep 300')
  const outbox = openOutbox({ kind: 'sendmail', path, newline: 'unix' })
  outbox.send(message)
  await expect.poll(() => existsSync(`${path}.id`) && readFileSync(`${path}.id`, 'utf8').trim()).toMatch(/^\d+$/)
  const id = Number(readFileSync(`${path}.id`, 'utf8'))
  await outbox.close(50)
  await expect.poll(() => lines.map((line) => line.message)).toEqual(['Mail could not be sent'])
  await expect.poll(() => isThere(id)).toBe(false)
})

const isThere = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

test('file: each mail is a file that only its owner can read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-mail-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const outbox = openOutbox({ kind: 'file', folder: join(folder, 'mail') })
  outbox.send(message)
  outbox.send({ ...message, to: 'bo@example.com' })
  await outbox.close(5000)
  const names = readdirSync(join(folder, 'mail')).toSorted()
  expect(names).toHaveLength(2)
  const text = unfolded(readFileSync(join(folder, 'mail', names[0] as string), 'utf8'))
  expect(text).toContain('To: ann@example.com')
  expect(text).toContain(message.data.url)
})

test('mails beyond the queue limit are dropped', async () => {
  const outbox = createOutbox(settingsOf(smtp(1)), log, 2)
  for (let count = 0; count < 3; count += 1) outbox.send(message)
  expect(lines.map((line) => line.message)).toEqual(['Mail dropped: the queue is full'])
  await outbox.close(20_000)
  expect(lines.filter((line) => line.message === 'Mail could not be sent')).toHaveLength(2)
})

const letter: LetterText = {
  subject: 'New\r\ncomment',
  body: '<p onclick="x()">Hi <b>Bo</b></p><script>x()</script><a href="javascript:x()">a</a><a href="https://b.example">b</a>',
  isHtml: true,
  author: { name: 'Ada Lovelace', address: 'ada@example.com' },
}

test('a letter comes from the project in the name of its author, with harmless HTML', () => {
  expect(renderLetter(letter, 'Tandem <no-reply@example.com>')).toEqual({
    subject: 'New comment',
    text: null,
    html: '<p>Hi <b>Bo</b></p><a>a</a><a href="https://b.example">b</a>',
    from: { name: 'Ada Lovelace', address: 'no-reply@example.com' },
    replyTo: { name: 'Ada Lovelace', address: 'ada@example.com' },
  })
  const plain = { ...letter, isHtml: false, body: '<b>', author: null }
  expect(renderLetter(plain, 'no-reply@example.com')).toEqual({
    subject: 'New comment',
    text: '<b>',
    html: null,
    from: 'no-reply@example.com',
  })
})

test('SMTP: a letter has the name of its recipient and the address for replies', async () => {
  const { port, received } = await openServer()
  const outbox = openOutbox(smtp(port))
  outbox.sendLetter({ to: 'bo@example.com', name: 'Bo', text: letter })
  await outbox.close(5000)
  const [mail] = received
  expect([mail?.from, mail?.to]).toEqual(['no-reply@example.com', ['bo@example.com']])
  expect(mail?.text).toMatch(/^From: Ada Lovelace <no-reply@example.com>\r$/m)
  expect(mail?.text).toMatch(/^To: Bo <bo@example.com>\r$/m)
  expect(mail?.text).toMatch(/^Reply-To: Ada Lovelace <ada@example.com>\r$/m)
  expect(mail?.text).toMatch(/^Content-Type: text\/html/m)
})

test.each<[what: string, transport: TransportSettings, problem: string]>([
  ['a program that is not there', { kind: 'sendmail', path: '/nowhere/sendmail', newline: 'unix' }, 'transport'],
  ['a server that is not there', smtp(1), 'server'],
])('%s fails before a mail is accepted', async (_what, transport, problem) => {
  const outbox = createOutbox(settingsOf(transport), log)
  closers.push(() => outbox.close(1000))
  await expect(outbox.verify()).rejects.toMatchObject({ failures: [{ kind: 'mail-failed', problem }] })
})

test('a server that refuses the password is told from one that is not there', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(new Error('no')),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  const outbox = createOutbox(settingsOf(smtp(port)), log)
  closers.push(() => outbox.close(1000))
  await expect(outbox.verify()).rejects.toMatchObject({ failures: [{ kind: 'mail-failed', problem: 'options' }] })
})
