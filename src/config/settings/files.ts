import {
  choice,
  duration,
  flag,
  integer,
  lifetime,
  list,
  optional,
  schedule,
  setting,
  size,
  timeout,
} from '../kinds.ts'

export const fileSettings = {
  STORAGE_LOCATIONS: setting('Names of the storage locations; new files go to the first.', list, 'local'),
  ASSETS_CACHE_TTL: setting('max-age of files for browsers and caches.', duration, '30d'),
  ASSETS_CACHE_REVALIDATE: setting('Make caches revalidate files each time.', flag, 'false'),
  ASSETS_PRIVATE_HASH: setting(
    'Who may open a file by its private hash: users who may read the file, or (open) everybody who knows the hash.',
    choice('protected', 'open'),
    'protected',
  ),
  ASSETS_FILE_NAMES: setting(
    'Who may open a file of the version-8 API by its name on disk (/uploads/_/originals/…), or by its download name where the project has such addresses: users who may read the file, or (open) everybody, as in version 8.',
    choice('protected', 'open'),
    'protected',
  ),
  ASSETS_MAX_VARIANTS: setting(
    'Maximum number of stored variants of one file; a further one replaces the oldest.',
    integer(1, 100_000),
    '200',
  ),
  ASSETS_TRANSFORM_MAX_CONCURRENT: setting(
    'Maximum number of images that are transformed or wait at the same time.',
    integer(1, 1000),
    '25',
  ),
  ASSETS_TRANSFORM_IMAGE_MAX_DIMENSION: setting(
    'Maximum width and height of an image to transform.',
    integer(1, 16_383),
    '6000',
  ),
  ASSETS_TRANSFORM_IMAGE_MAX_OUTPUT_DIMENSION: setting(
    'Maximum width and height of the result.',
    integer(1, 16_383),
    '6000',
  ),
  ASSETS_TRANSFORM_MAX_OPERATIONS: setting('Maximum number of operations of one transform.', integer(0, 100), '5'),
  ASSETS_TRANSFORM_TIMEOUT: setting(
    'Maximum waiting time of an image, and separately its maximum processing time.',
    timeout,
    '7500ms',
  ),
  ASSETS_INVALID_IMAGE_SENSITIVITY_LEVEL: setting(
    'Damage from which on an image is rejected; none accepts whatever can be read.',
    choice('none', 'truncated', 'error', 'warning'),
    'warning',
  ),
  FILES_MAX_UPLOAD_SIZE: optional('Maximum size of a file.', size),
  FILES_MIME_TYPE_ALLOW_LIST: setting('Allowed media types of files, such as image/*.', list, '*/*'),
  FILE_METADATA_ALLOW_LIST: setting(
    'Image metadata that is stored: groups (ifd0, exif, gps, icc, iptc, xmp), single values, or *.',
    list,
    'ifd0.Make,ifd0.Model,exif.FNumber,exif.ExposureTime,exif.FocalLength,exif.ISOSpeedRatings,icc,iptc',
  ),
  FILES_CHECKSUMS: setting(
    'Compute an MD5 checksum of every new file for legacy clients, not only of files uploaded by them: 2 ms per MB.',
    flag,
    'false',
  ),
  IMPORT_IP_DENY_LIST: setting(
    'Addresses and networks from which files are not imported, in addition to all private ones; 0.0.0.0 is this host.',
    list,
    '0.0.0.0,169.254.169.254',
  ),
  IMPORT_IP_ALLOW_LIST: setting(
    'Private addresses and networks from which files may be imported. IMPORT_IP_DENY_LIST takes precedence; its 0.0.0.0 keeps this host denied.',
    list,
    '',
  ),
  IMPORT_TIMEOUT: setting('Maximum duration of the import of a file.', timeout, '1h'),
  IMPORT_MAX_FILE_SIZE: setting('Maximum size of an imported file, or file of rows.', size, '50mb'),
  TUS_ENABLED: setting('Accept resumable uploads (tus).', flag, 'false'),
  TUS_CHUNK_SIZE: setting(
    'Size of the pieces in which uploads are stored and should be sent; at least 64kb.',
    size,
    '10mb',
  ),
  TUS_UPLOAD_EXPIRATION: setting('How long an upload may be idle before it expires.', lifetime, '10m'),
  TUS_MAX_UPLOADS: setting('Unfinished uploads of one user, or of all callers without a token.', integer(1), '100'),
  TUS_CLEANUP_SCHEDULE: setting(
    'When expired uploads and abandoned objects are removed: cron with five fields, in UTC.',
    schedule,
    '0 * * * *',
  ),
} as const
