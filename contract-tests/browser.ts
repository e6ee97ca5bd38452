/** Options of a browser for tests: Chromium of CHROMIUM_PATH or of the PATH. Throws if there is none. */
import { execFileSync } from 'node:child_process'

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

const inPath = (): string =>
  execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'], {
    encoding: 'utf8',
  }).trim()

export const browserOptions = () => ({ executablePath: process.env['CHROMIUM_PATH'] ?? inPath(), args: quiet })
