/** The settings about the version 8 API. */
import { date, flag, optional, orFalse, orNow, setting } from './kinds.ts'

export const legacySettings = {
  LEGACY_ENABLED: setting(
    'Serve the API of version 8. SCIM and custom endpoints are served in any case.',
    flag,
    'true',
  ),
  LEGACY_DEPRECATION: setting(
    'Tell its clients in headers that it is deprecated: since the start of the server (true), or since or from a date.',
    orFalse(orNow(date)),
    'false',
  ),
  LEGACY_SUNSET: optional('Date on which it will be turned off, for the header Sunset.', date),
}
