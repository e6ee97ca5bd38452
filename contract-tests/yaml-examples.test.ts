/** The YAML files and blocks of the documentation: all are read strictly, and those for others have their structure. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readBlocks } from './guide/blocks.ts'

type Json = { readonly [key: string]: unknown }
type Text = { readonly place: string; readonly text: string }

const root = join(import.meta.dirname, '..')
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => !/^(dist|node_modules)\//.test(file))
  .map((file) => `docs/${file}`)

const pages = ['README.md', 'verify/README.md', ...inDocs.filter((file) => file.endsWith('.md'))]
const blocks: readonly Text[] = pages.flatMap((page) =>
  readBlocks(page.replace(/\.md$/, ''), textOf(page)).filter(({ language }) => /^ya?ml$/.test(language)),
)
const files: readonly Text[] = ['compose.yaml', ...inDocs.filter((file) => /\.ya?ml$/.test(file))].map((place) => ({
  place,
  text: textOf(place),
}))

/** The documents of a text; errors and warnings, such as a key that is there twice, are thrown. */
const read = (text: string): readonly unknown[] =>
  parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((document) => {
    const [fault] = [...document.errors, ...document.warnings]
    if (fault !== undefined) throw fault
    return document.toJS() as unknown
  })

test.each([...blocks, ...files])('$place is YAML', ({ text }) => {
  const documents = read(text)
  expect(documents.length).toBeGreaterThan(0)
  expect(documents.filter((each) => typeof each !== 'object' || each === null)).toEqual([])
})

test.each(['a: 1\na: 2', 'a: [1', 'a: b: c', 'a: !unknown 1'])('%j is refused', (text) => {
  expect(() => read(text)).toThrow()
})

test('blocks and files are found', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(7)
  expect(files.map(({ place }) => place)).toEqual(expect.arrayContaining(['compose.yaml', 'docs/kubernetes.yaml']))
})

type Step = { readonly uses?: string; readonly run?: string }

const isStep = ({ uses, run }: Step): boolean => uses !== undefined || run !== undefined

/** Steps of GitHub: of a workflow, or of a part of one; other lists have entries that neither use nor run anything. */
function stepsOf(document: unknown): readonly Step[] {
  if (Array.isArray(document)) return (document as readonly Step[]).some(isStep) ? (document as readonly Step[]) : []
  const { jobs } = document as { readonly jobs?: { readonly [name: string]: { readonly steps: readonly Step[] } } }
  return Object.values(jobs ?? {}).flatMap(({ steps }) => steps)
}

test('steps of GitHub in pages use or run something', () => {
  const steps = blocks.flatMap(({ text }) => read(text).flatMap(stepsOf))
  expect(steps.length).toBeGreaterThanOrEqual(5)
  expect(steps.filter(({ uses, run }) => (uses === undefined) === (run === undefined))).toEqual([])
  expect(steps.filter(({ uses }) => uses !== undefined && !/^[\w-]+\/[\w-]+@v\d+$/.test(uses))).toEqual([])
})

type Pod = {
  readonly containers: readonly {
    readonly envFrom: readonly { readonly [kind: string]: { readonly name: string } }[]
    readonly ports: readonly { readonly name: string }[]
    readonly volumeMounts: readonly { readonly name: string }[]
    readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly port: string } }
  }[]
  readonly volumes: readonly { readonly name: string }[]
}

test('the manifests for Kubernetes refer to each other', () => {
  const manifests = read(textOf('docs/kubernetes.yaml')) as readonly Json[]
  const specOf = (kind: string) => manifests.find((each) => each['kind'] === kind)?.['spec'] as Json
  const named = manifests.map(({ kind, metadata }) => `${String(kind)} ${(metadata as { name: string }).name}`)
  const values = manifests.flatMap(({ data, stringData }) =>
    Object.values({ ...(data as Json), ...(stringData as Json) }),
  )
  expect(values.filter((value) => typeof value !== 'string')).toEqual([])
  const { selector, template } = specOf('Deployment') as {
    readonly selector: { readonly matchLabels: Json }
    readonly template: { readonly metadata: { readonly labels: Json }; readonly spec: Pod }
  }
  expect(template.metadata.labels).toEqual(selector.matchLabels)
  expect(specOf('Service')['selector']).toEqual(selector.matchLabels)
  const [container] = template.spec.containers
  if (container === undefined) throw new Error('There is no container')
  const ports = container.ports.map(({ name }) => name)
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
  const services = specOf('Service')['ports'] as readonly { readonly targetPort: string }[]
  const used = [...probes.map((probe) => probe?.httpGet.port), ...services.map(({ targetPort }) => targetPort)]
  expect(used.filter((port) => !ports.includes(port ?? ''))).toEqual([])
  const volumes = template.spec.volumes.map(({ name }) => name)
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes)
  const sources = container.envFrom.flatMap((each) => Object.entries(each).map(([kind, { name }]) => `${kind} ${name}`))
  expect(sources).toEqual(['secretRef tandem', 'configMapRef tandem'])
  expect(named).toEqual(expect.arrayContaining(['Secret tandem', 'ConfigMap tandem']))
})
