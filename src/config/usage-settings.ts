/** The settings about counting what clients use. */
import { age, flag, setting } from './kinds.ts'

export const usageSettings = {
  USAGE_ENABLED: setting(
    'Count which client (header X-Client, or the API key, or the user agent) calls which operations and uses which fields; no values, no users.',
    flag,
    'true',
  ),
  USAGE_RETENTION: setting('How long uses are kept after their last call.', age, '180d'),
}
