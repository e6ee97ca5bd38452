/**
 * Builds the guide, so that the server has it at `/docs/guide`. Without the packages of development
 * (`npm ci --omit=dev`) there is nothing to build with, and the server says so there.
 */
import { fileURLToPath } from 'node:url'

const vitepress = await import('vitepress').catch(() => null)
if (vitepress === null) console.log('The guide at /docs/guide is not built: its packages are not installed.')
else await vitepress.build(fileURLToPath(new URL('.', import.meta.url)))
