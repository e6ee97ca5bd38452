/**
 * Builds the application after `npm ci`, so that `npm start` serves it. Without the packages of development
 * (`npm ci --omit=dev`) there is nothing to build with, and the server says so at `/admin`.
 */
import { fileURLToPath } from 'node:url'

const vite = await import('vite').catch(() => null)
const hasReact = await import('react-admin').then(
  () => true,
  (error) => error.code !== 'ERR_MODULE_NOT_FOUND',
)

if (vite === null || !hasReact) console.log('The application at /admin is not built: its packages are not installed.')
else await vite.build({ root: fileURLToPath(new URL('.', import.meta.url)), logLevel: 'error' })
