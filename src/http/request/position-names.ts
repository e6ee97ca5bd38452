/** Header of answers to writes, and of later requests: how far the last write of the client has come. */
export const positionHeader = 'x-tandem-position'

/** Cookie with the same, for clients that log in by cookie. */
export const positionCookie = 'tandem_position'
