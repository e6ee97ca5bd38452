/** `/docs`: the specs as a reference to read and search, served without any other host. */
import { readFile } from 'node:fs/promises'
import { jsonText, type Reply, redirect, text, withHeaders } from '../reply/reply.ts'
import type { SpecDocument } from '../validation/enforcement.ts'
import type { Page } from './server.ts'

/** A spec as `/docs/<name>.json` and as an entry of the selection. */
export type DocumentedSpec = {
  readonly name: string
  readonly spec: SpecDocument & { readonly info: { readonly title: string } }
}

const script = 'text/javascript; charset=utf-8'

/** The viewer is a file of this repository: its package would bring 240 MB along (see `openapi/viewer/README.md`). */
const viewer = new URL('../../../openapi/viewer/scalar.js', import.meta.url)

/** The page, its files and the specs behind it. */
export const createDocs = (documents: readonly DocumentedSpec[]): Page => {
  const specs = new Map(documents.map(({ name, spec }) => [`${name}.json`, spec]))
  const start = startScript(
    documents.map(({ name, spec }) => ({ url: `${name}.json`, slug: name, title: spec.info.title })),
  )
  return async (path) => {
    const [, , file, ...more] = path.split('/')
    // The page names its files relative to itself, so that it also works behind a path prefix.
    if (file === undefined) return redirect('docs/')
    if (more.length > 0) return null
    if (file === '') return text(page)
    if (file === 'start.js') return text(start, script)
    if (file === 'viewer.js') return readViewer()
    const spec = specs.get(file)
    return spec === undefined ? null : jsonText(JSON.stringify(spec))
  }
}

const readViewer = async (): Promise<Reply> =>
  withHeaders(
    { status: 200, body: { kind: 'bytes', bytes: await readFile(viewer), type: script } },
    { 'cache-control': 'public, max-age=3600' },
  )

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tandem API reference</title>
<link rel="icon" href="data:,">
<script defer src="viewer.js"></script>
<script defer src="start.js"></script>
</head>
<body><div id="reference"></div></body>
</html>
`

type Source = { readonly url: string; readonly slug: string; readonly title: string }

/** Code samples are those of the specs; whatever would ask another host is off. */
const startScript = (sources: readonly Source[]): string => `Scalar.createApiReference('#reference', {
  sources: ${JSON.stringify(sources)},
  hiddenClients: true,
  hideClientButton: true,
  showOperationId: true,
  showDeveloperTools: 'never',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
})
`
