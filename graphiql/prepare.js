/**
 * Builds GraphiQL after `npm ci`, so that the server has it at `/graphql`. Without the packages of development
 * (`npm ci --omit=dev`) there is nothing to build with, and the server says so there.
 */
import { fileURLToPath } from 'node:url'

const vite = await import('vite').catch(() => null)
const folder = fileURLToPath(new URL('.', import.meta.url))
const isInstalled = (() => {
  try {
    return import.meta.resolve('graphiql') !== ''
  } catch {
    return false
  }
})()

if (vite === null || !isInstalled) console.log('GraphiQL at /graphql is not built: its packages are not installed.')
else await vite.build({ root: folder, logLevel: 'error' })
