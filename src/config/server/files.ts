/** The settings of files, images, and the addresses from which files are imported. */
import type { ImageLimits } from '../../domain/ports/images.ts'
import type { FileSettings } from '../../domain/ports/settings.ts'
import type { AddressLists } from '../../outbound/addresses.ts'
import { assertNetworks } from '../kinds-network.ts'
import type { Values } from '../settings.ts'

export function toImages(values: Values): ImageLimits {
  return {
    maxDimension: values.ASSETS_TRANSFORM_IMAGE_MAX_DIMENSION,
    maxOutputDimension: values.ASSETS_TRANSFORM_IMAGE_MAX_OUTPUT_DIMENSION,
    maxSteps: values.ASSETS_TRANSFORM_MAX_OPERATIONS,
    maxConcurrent: values.ASSETS_TRANSFORM_MAX_CONCURRENT,
    timeout: values.ASSETS_TRANSFORM_TIMEOUT,
    sensitivity: values.ASSETS_INVALID_IMAGE_SENSITIVITY_LEVEL,
  }
}

export function toFiles(values: Values): FileSettings {
  const maxSize = values.FILES_MAX_UPLOAD_SIZE
  return {
    maxSize,
    types: values.FILES_MIME_TYPE_ALLOW_LIST,
    metadata: values.FILE_METADATA_ALLOW_LIST,
    checksums: values.FILES_CHECKSUMS,
    import: {
      timeout: values.IMPORT_TIMEOUT,
      maxSize: Math.min(values.IMPORT_MAX_FILE_SIZE, maxSize ?? Number.POSITIVE_INFINITY),
    },
    resumable: values.TUS_ENABLED
      ? {
          segment: Math.max(values.TUS_CHUNK_SIZE, 65_536),
          expiration: values.TUS_UPLOAD_EXPIRATION,
          most: values.TUS_MAX_UPLOADS,
        }
      : null,
  }
}

export function toAddressLists(values: Values): AddressLists {
  assertNetworks('IMPORT_IP_DENY_LIST', values.IMPORT_IP_DENY_LIST)
  assertNetworks('IMPORT_IP_ALLOW_LIST', values.IMPORT_IP_ALLOW_LIST)
  return { denied: values.IMPORT_IP_DENY_LIST, allowed: values.IMPORT_IP_ALLOW_LIST }
}
