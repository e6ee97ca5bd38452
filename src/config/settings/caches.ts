/** The settings of the response cache and of Redis. */
import { choice, flag, integer, lifetime, list, optional, orFalse, secret, setting, size, text } from '../kinds.ts'
import { headerName, redisUrl } from '../kinds-network.ts'

export const cacheSettings = {
  CACHE_ENABLED: setting('Cache responses to GET, separately for callers with different rights.', flag, 'false'),
  CACHE_STORE: setting('Store of the response cache.', choice('memory', 'redis'), 'memory'),
  CACHE_NAMESPACE: setting('Prefix of cache keys in Redis.', text, 'tandem-cache'),
  CACHE_TTL: setting('Lifetime of cached responses.', lifetime, '5m'),
  CACHE_AUTO_PURGE: setting('Purge the response cache after every write.', flag, 'false'),
  CACHE_AUTO_PURGE_IGNORE_LIST: setting('Collections whose writes do not purge the cache.', list, 'activity,presets'),
  CACHE_CONTROL_S_MAXAGE: setting('s-maxage of responses for shared caches, in seconds.', orFalse(integer(0)), '0'),
  CACHE_SKIP_ALLOWED: setting('Let clients bypass the cache with Cache-Control: no-store.', flag, 'false'),
  CACHE_STATUS_HEADER: optional('Name of a response header with HIT or MISS.', headerName),
  CACHE_TAG_HEADERS: setting(
    'Name what cached responses were made from in Surrogate-Key and Cache-Tag, for a network of caches that removes these headers.',
    flag,
    'false',
  ),
  CACHE_VALUE_MAX_SIZE: setting('Largest response that is cached.', orFalse(size), 'false'),
}

export const redisSettings = {
  REDIS: secret('URL of Redis: redis://user:password@host:6379/0.', redisUrl),
  REDIS_HOST: optional('Host of Redis, without a URL.', text),
  REDIS_PORT: setting('Port of Redis.', integer(1, 65_535), '6379'),
  REDIS_USERNAME: optional('Name of the Redis user.', text),
  REDIS_PASSWORD: secret('Password of the Redis user.'),
  REDIS_DB: setting('Number of the Redis database.', integer(0, 65_535), '0'),
}
