/** A bucket on an S3 server in the test process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Options } from './s3.ts'

export type TestBucket = {
  readonly options: S3Options
  /** Folder in which the server stores its objects. */
  readonly directory: string
  readonly close: () => Promise<void>
}

export async function openTestBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'tandem-bucket-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: await freePort(),
    silent: true,
    directory,
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  const { port } = await server.run()
  return {
    options: {
      key: 'S3RVER',
      secret: 'S3RVER',
      bucket: 'files',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      forcePathStyle: true,
      root: '/under/here/',
      acl: null,
      serverSideEncryption: null,
    },
    directory,
    async close() {
      await server.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Finds a free port. The S3 server does not support port 0. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
