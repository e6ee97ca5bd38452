/**
 * Runs after `npm ci`: builds the static files of the application, of GraphiQL and of the guide, and beside them, in a process of its
 * own, the image from which the embedded database starts.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Older versions of Node cannot run TypeScript. Without the image the first start creates a database, which is slower. */
const runsTypeScript = Number.parseInt(process.versions.node, 10) >= 24

async function makeImage() {
  const program = fileURLToPath(new URL('src/sql/embedded/make-image.ts', import.meta.url))
  const [code] = await once(spawn(process.execPath, [program], { stdio: 'inherit' }), 'exit')
  if (code !== 0) console.log('The image of the embedded database is not built: its first start will take longer.')
}

const image = runsTypeScript ? makeImage() : undefined
await import('./admin/prepare.js')
await import('./graphiql/prepare.js')
await import('./docs/build.js')
await image
