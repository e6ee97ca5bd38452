/** The manifest for Kubernetes and the unit of systemd in `docs`, by the schemas and programs that read them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Container, PodSpec } from 'kubernetes-types/core/v1.d.ts'
import { afterAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { loadConfig } from '../src/config/config.ts'
import { settingList } from '../src/config/settings.ts'
import { compileTypes } from './compile-types.ts'
import { openWorld } from './world.ts'

const docs = join(import.meta.dirname, '../docs')
const folder = mkdtempSync(join(tmpdir(), 'tandem-operating-'))
const world = await openWorld()
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

const manifestText = readFileSync(join(docs, 'kubernetes.yaml'), 'utf8')
const unit = readFileSync(join(docs, 'tandem.service'), 'utf8')

type Json = { readonly [key: string]: unknown }
const toManifests = (text: string): readonly Json[] =>
  parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((each) => each.toJS() as Json)

const manifests = toManifests(manifestText)
const { spec } = manifests.find(({ kind }) => kind === 'Deployment') as { spec: { template: { spec: PodSpec } } }
const pod = spec.template.spec
const [container] = pod.containers as [Container]
const portOf = (name: string) => container.ports?.find((each) => each.name === name)?.containerPort

/** What is wrong with manifests by the types of Kubernetes: kinds, versions, unknown and missing fields, types of values. */
function faultsOf(text: string): readonly string[] {
  const lines = toManifests(text).map((manifest, index) => {
    const { apiVersion, kind } = manifest as { readonly apiVersion: string; readonly kind: string }
    const group = apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`
    const type = `import('kubernetes-types/${group}.d.ts').${kind}`
    return `export const manifest${index}: ${type} = ${JSON.stringify(manifest)}`
  })
  return compileTypes({ 'manifests.ts': lines.join('\n') }, { exactOptionalPropertyTypes: false }).failures
}

test('the manifest has the fields of its kinds', () => {
  expect(manifests.map(({ kind }) => kind)).toEqual(['Secret', 'ConfigMap', 'Deployment', 'Service'])
  expect(faultsOf(manifestText)).toEqual([])
})

test.each([
  ['apps/v1', 'apps/v2'],
  ['kind: Deployment', 'kind: Deploymint'],
  ['periodSeconds: 10', 'periodSecond: 10'],
  ['replicas: 2', 'replicas: two'],
  ['readinessProbe:', 'readynessProbe:'],
  ['mountPath: /data', 'mountPaths: /data'],
  ['      containers:', '      container:'],
])('in the manifest %j cannot be %j', (right, wrong) => {
  expect(manifestText).toContain(right)
  expect(faultsOf(manifestText.replace(right, wrong))).not.toEqual([])
})

test('the settings of the manifest exist, and Tandem takes their values', () => {
  const given: { readonly [name: string]: string } = Object.assign(
    {},
    ...manifests.map(({ data, stringData }) => ({ ...(data as object), ...(stringData as object) })),
    ...(container.env ?? []).map(({ name, value }) => ({ [name]: value })),
  )
  const known = new Set<string>(settingList.map(([name]) => name))
  const ofLocation = /^STORAGE_S3_(DRIVER|BUCKET|KEY|SECRET|REGION)$/
  expect(Object.keys(given).filter((name) => !known.has(name) && !ofLocation.test(name))).toEqual([])
  const config = loadConfig(given, folder)
  expect(config.http.port).toBe(portOf('http'))
  expect(config.telemetry?.metrics?.listen?.port).toBe(portOf('metrics'))
  expect(Number(pod.terminationGracePeriodSeconds) * 1000).toBeGreaterThan(config.shutdownTimeout + 3_000)
})

test.each(['startup', 'liveness', 'readiness'] as const)('the %s probe asks a path that answers', async (name) => {
  const { path, port } = container[`${name}Probe`]?.httpGet ?? {}
  expect(port).toBe('http')
  const answer = await fetch(`${world.url}${path}`)
  expect([answer.status, path]).toEqual([200, name === 'readiness' ? '/server/ready' : '/server/ping'])
})

/** Directives that the unit may use, by section. */
const directives: { readonly [section: string]: string } = {
  Unit: 'Description Documentation After Wants',
  Service: `Type User Group WorkingDirectory EnvironmentFile Environment ExecStart Restart RestartSec TimeoutStopSec
    StateDirectory LimitNOFILE NoNewPrivileges PrivateTmp ProtectSystem ProtectHome ProtectKernelTunables
    ProtectControlGroups RestrictSUIDSGID`,
  Install: 'WantedBy',
}

/** What `systemd-analyze verify` says of a unit, where it is installed; it ends with 0 whatever it finds. */
function verified(text: string): readonly string[] | null {
  const file = join(folder, 'tandem.service')
  writeFileSync(file, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
  const { error, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  return error === undefined ? stderr.split('\n').filter((line) => line.includes('tandem.service')) : null
}

/** Lines of a unit that are no directive of their section. */
function unknownLines(text: string): readonly string[] {
  let section = ''
  return text.split('\n').filter((line) => {
    const [, opened] = /^\[(\w+)\]$/.exec(line) ?? []
    if (opened !== undefined) section = opened
    const [, name = ''] = /^(\w+)=\S/.exec(line) ?? []
    const isKnown =
      opened === undefined ? directives[section]?.split(/\s+/).includes(name) === true : opened in directives
    return line !== '' && !line.startsWith('#') && !isKnown
  })
}

test('the unit has directives that systemd knows, with values that it takes', () => {
  expect(unknownLines(unit)).toEqual([])
  expect(verified(unit) ?? []).toEqual([])
  expect([...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name)).toEqual(['DATA_DIR'])
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? []
  expect(Number(seconds) * 1000).toBeGreaterThan(loadConfig({}, folder).shutdownTimeout + 3_000)
})

test.each([
  ['TimeoutStopSec=', 'TimeoutStopSecs='],
  ['[Install]', '[Installed]'],
  ['ProtectHome=true', 'ProtectsHome=true'],
])('in the unit %j cannot be %j', (right, wrong) => {
  const text = unit.replace(right, wrong)
  expect(unknownLines(text).length).toBeGreaterThan(0)
  expect(verified(text)).not.toEqual([])
})

test.each([
  ['Restart=on-failure', 'Restart=sometimes'],
  ['LimitNOFILE=65536', 'LimitNOFILE=many'],
])('systemd, where there is one, refuses %j as %j', (right, wrong) => {
  expect(unit).toContain(right)
  expect(verified(unit.replace(right, wrong))).not.toEqual([])
})
