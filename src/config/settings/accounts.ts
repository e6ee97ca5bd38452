/** The settings of accounts, tokens and mails. */
import {
  atLeast,
  choice,
  emailAddress,
  flag,
  integer,
  lifetime,
  mailSender,
  optional,
  secret,
  setting,
  text,
  wait,
} from '../kinds.ts'
import { cookieDomain, cookieName, pages, tokenText } from '../kinds-network.ts'

export const administratorSettings = {
  ADMIN_EMAIL: setting('E-mail address of the administrator of a new database.', emailAddress, 'admin@example.com'),
  ADMIN_PASSWORD: secret('Password of the administrator; generated and printed once if unset.', atLeast(8)),
  ADMIN_TOKEN: secret(
    'Static token of the administrator; given at any start to the one of ADMIN_EMAIL who has none.',
    tokenText(16),
  ),
  ADMIN_SETUP: setting(
    'Do not create an administrator at the start; the first POST /server/setup creates it.',
    flag,
    'false',
  ),
}

export const tokenSettings = {
  SECRET: secret(
    'Key of all signatures; generated and kept in DATA_DIR if unset. All replicas need the same.',
    atLeast(32),
  ),
  ACCESS_TOKEN_TTL: setting('Lifetime of an access token.', lifetime, '15m'),
  REFRESH_TOKEN_TTL: setting('Lifetime of a refresh token.', lifetime, '7d'),
  REFRESH_TOKEN_COOKIE_NAME: setting('Name of the refresh cookie.', cookieName, 'platform_refresh_token'),
  REFRESH_TOKEN_COOKIE_DOMAIN: optional('Domain of the refresh cookie.', cookieDomain),
  REFRESH_TOKEN_COOKIE_SECURE: optional(
    'Send the refresh cookie only over https; if unset, when PUBLIC_URL or the request is https.',
    flag,
  ),
  REFRESH_TOKEN_COOKIE_SAME_SITE: setting('SameSite of the refresh cookie.', choice('lax', 'strict', 'none'), 'lax'),
  LOGIN_STALL_TIME: setting(
    'Minimum duration of a login, so that it does not reveal whether the user exists.',
    wait,
    '500ms',
  ),
  REGISTER_STALL_TIME: setting(
    'Minimum duration of a registration, so that it does not reveal whether the address exists.',
    wait,
    '750ms',
  ),
  PASSWORD_RESET_TOKEN_TTL: setting('Lifetime of password reset links.', lifetime, '1d'),
  USER_INVITE_TOKEN_TTL: setting('Lifetime of invitation links.', lifetime, '7d'),
  EMAIL_VERIFICATION_TOKEN_TTL: setting('Lifetime of links that confirm a registration.', lifetime, '7d'),
  PASSWORD_RESET_URL_ALLOW_LIST: setting('Allowed values of `reset_url`.', pages, ''),
  USER_INVITE_URL_ALLOW_LIST: setting('Allowed values of `invite_url`.', pages, ''),
  USER_REGISTER_URL_ALLOW_LIST: setting('Allowed values of `verification_url`.', pages, ''),
  HASH_MEMORY_COST: setting('KiB of memory for one argon2id hash.', integer(8, 4_194_304), '65536'),
  HASH_TIME_COST: setting('Passes of one argon2id hash.', integer(1, 100), '3'),
  HASH_PARALLELISM: setting('Lanes of one argon2id hash.', integer(1, 64), '4'),
  HASH_LENGTH: setting('Bytes of one argon2id hash.', integer(16, 128), '32'),
}

export const mailSettings = {
  EMAIL_TRANSPORT: setting(
    'file writes mails into DATA_DIR/mail, console prints them; smtp (also for SES, Mailgun and SendGrid) and sendmail send them.',
    choice('file', 'console', 'smtp', 'sendmail'),
    'file',
  ),
  EMAIL_FROM: setting('Sender of mails.', mailSender, 'no-reply@example.com'),
  EMAIL_VERIFY_SETUP: setting('Test the mail server at the start, and log errors.', flag, 'true'),
  EMAIL_TEMPLATES_PATH: optional(
    'Folder of Liquid templates that replace built-in ones, such as password-reset.html.liquid and .text.liquid.',
    text,
  ),
  EMAIL_SMTP_HOST: optional('Host of the mail server.', text),
  EMAIL_SMTP_PORT: optional('Port of the mail server; 587, or 465 with EMAIL_SMTP_SECURE.', integer(1, 65_535)),
  EMAIL_SMTP_USER: optional('User name for the mail server.', text),
  EMAIL_SMTP_PASSWORD: secret('Password for the mail server.'),
  EMAIL_SMTP_POOL: setting('Keep connections to the mail server open.', flag, 'false'),
  EMAIL_SMTP_SECURE: setting('Use implicit TLS; otherwise STARTTLS if the server offers it.', flag, 'false'),
  EMAIL_SMTP_IGNORE_TLS: setting('Do not use STARTTLS even if the server offers it.', flag, 'false'),
  EMAIL_SMTP_NAME: optional('Host name of this server in EHLO.', text),
  EMAIL_SENDMAIL_PATH: setting('Path of the sendmail program.', text, '/usr/sbin/sendmail'),
  EMAIL_SENDMAIL_NEW_LINE: setting('Line breaks for sendmail.', choice('unix', 'windows'), 'unix'),
}
