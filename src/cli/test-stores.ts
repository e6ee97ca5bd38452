/** Storages for tests of the program: a folder and a bucket. */
import { join } from 'node:path'
import type { Storage } from '../domain/ports/storage.ts'
import { createLocalStorage } from '../storage/local.ts'
import { createS3Storage } from '../storage/s3.ts'
import { openTestBucket } from '../storage/test-bucket.ts'
import type { ProgramDatabase, Settings } from './test-program.ts'

export type Store = {
  readonly settings: Settings
  readonly storage: Storage
  readonly directory: string
  readonly close: () => Promise<void>
}

export const openFolder = async (database: ProgramDatabase): Promise<Store> => {
  const directory = join(database.settings['DATA_DIR'] as string, 'uploads')
  return { settings: {}, storage: createLocalStorage(directory), directory, close: async () => {} }
}

export const openBucket = async (): Promise<Store> => {
  const { options, directory, close } = await openTestBucket()
  const storage = createS3Storage(options)
  return {
    settings: {
      STORAGE_LOCAL_DRIVER: 's3',
      STORAGE_LOCAL_KEY: options.key ?? '',
      STORAGE_LOCAL_SECRET: options.secret ?? '',
      STORAGE_LOCAL_BUCKET: options.bucket,
      STORAGE_LOCAL_REGION: options.region,
      STORAGE_LOCAL_ENDPOINT: options.endpoint ?? '',
      STORAGE_LOCAL_FORCE_PATH_STYLE: 'true',
      STORAGE_LOCAL_ROOT: options.root,
    },
    storage,
    directory,
    async close() {
      storage.close()
      await close()
    },
  }
}
