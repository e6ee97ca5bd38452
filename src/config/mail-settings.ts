/** The settings of mail. */
import { choice, flag, integer, mailSender, optional, secret, setting, text } from './kinds.ts'

export const mailSettings = {
  EMAIL_TRANSPORT: setting(
    'file writes mails into DATA_DIR/mail, console prints them; smtp (also for SES, Mailgun and SendGrid) and sendmail send them.',
    choice('file', 'console', 'smtp', 'sendmail'),
    'file',
  ),
  EMAIL_FROM: setting('Sender of mails.', mailSender(), 'no-reply@example.com'),
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
} as const
