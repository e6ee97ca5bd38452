/** Cause and cure of every kind of error, for both generations. A new kind needs a row. */
import type { ErrorKind } from '../../src/domain/rights/errors.ts'

export type ErrorText = { readonly cause: string; readonly cure: string }

const text = (cause: string, cure: string): ErrorText => ({ cause, cure })

export const errorTexts = {
  forbidden: text(
    'The caller lacks the right, or what it names does not exist; the two look alike.',
    'Check names first, then the rights: `tandem explain`, or "Explain" in `/admin`.',
  ),
  unauthenticated: text(
    'The operation needs a caller, and the request has no token.',
    'Send `Authorization: Bearer …`, or log in.',
  ),
  'invalid-token': text(
    'The signature of the access token is wrong, or it is used where another kind of token is needed.',
    'Log in again. After a change of `SECRET` all tokens are invalid.',
  ),
  'token-expired': text(
    'The access token is older than `ACCESS_TOKEN_TTL`.',
    'Renew it with the refresh token; the SDK does.',
  ),
  'unknown-token': text(
    'The token is no access token of this server, and neither an API key nor the static token of an active user; or its session has ended.',
    'Log in, or give the user a token (`tandem token`) or a key (`tandem key create`).',
  ),
  'invalid-credentials': text(
    'Address or password is wrong, or an identity provider did not prove who the person is.',
    'Try again, or ask for a mail to reset the password. For a provider, the log has the cause.',
  ),
  'user-suspended': text(
    'The account is suspended, by an administrator or after too many wrong passwords.',
    'An administrator sets its status to `active`.',
  ),
  'user-inactive': text(
    'The account is a draft, invited, unverified or archived.',
    'Accept the invitation, confirm the address, or let an administrator activate it.',
  ),
  'invalid-otp': text(
    'The one-time password is wrong, or was used.',
    'Enter the current one; check the clock of the device.',
  ),
  'missing-otp': text('The account has a second factor, and the login has none.', 'Send `otp` with the login.'),
  'invalid-ip': text(
    'A policy or role allows other addresses only.',
    'Come from an allowed address, or change `ip_access`. Behind a proxy set `IP_TRUST_PROXY`.',
  ),
  'invalid-provider': text(
    'The account belongs to another provider, or to none.',
    'Log in as before, or let an administrator link it: see [identity providers](../providers.md).',
  ),
  'second-factor-demanded': text(
    'A policy demands a second factor, and the user has none.',
    'Set one up: `POST /users/me/tfa/generate`.',
  ),
  'invalid-query': text(
    'A parameter is unknown, malformed or out of its bounds.',
    'The message names the parameter, what was expected and what came.',
  ),
  'invalid-payload': text(
    'The body is no JSON, or a property is missing or unknown, or has a type or value that cannot be.',
    'The message names the property.',
  ),
  'failed-validation': text(
    'A value is missing, is null or has the wrong type, or a validation of the field or the permission refuses it.',
    'Correct the field in `field`; `type` is the rule.',
  ),
  'collection-not-found': text(
    'There is no such collection, or the caller may not know it.',
    'Check the name; after a change by another program run `tandem introspect`.',
  ),
  'item-not-found': text(
    'There is no item with the key, or the caller may not see it.',
    'Check the key, then the rights.',
  ),
  'revision-without-state': text(
    'The revision was changed by another program and holds no state.',
    'Revert to another revision.',
  ),
  'system-collection': text('A system collection was requested as items.', 'Use its own path, such as `/users`.'),
  'field-not-found': text(
    'There is no such field, or the caller may not know it.',
    'Check the name, then the fields of the permission.',
  ),
  'not-relational': text(
    'A path goes on behind a field that is no relation.',
    'End the path at the field, or make the relation.',
  ),
  'not-scalar': text(
    'A list or an object was written to a field of one value. Most writes of the current generation answer `FAILED_VALIDATION` instead.',
    'Send one value.',
  ),
  'unknown-operator': text(
    'The filter has an operator that the generation or the type does not have.',
    'See [filter operators](operators.md).',
  ),
  'not-unique': text('Another row has the value.', 'Choose another value, or update that row: `on_conflict`.'),
  'invalid-foreign-key': text(
    'The value refers to no row, or the row is still referred to.',
    'Create the other row first, or remove what refers to it.',
  ),
  'not-null': text(
    'The database found no value where it needs one, such as after a trigger.',
    'Send it, or give the field a default.',
  ),
  'contains-null-values': text('A column with nulls cannot become required.', 'Fill the rows first.'),
  'value-too-long': text('The text is longer than the column.', 'Shorten it, or lengthen the column.'),
  'value-out-of-range': text(
    'The number does not fit the column.',
    'Send a smaller one, or change the type of the field.',
  ),
  'content-too-large': text(
    'The body or the file is larger than the limit.',
    'Send less at once, or raise `MAX_PAYLOAD_SIZE`; for uploads `FILES_MAX_UPLOAD_SIZE`, for imports `IMPORT_MAX_FILE_SIZE`.',
  ),
  'upload-failed': text(
    'The upload is malformed, empty, too large, or could not be stored.',
    'The message says which. Send one file per form, the file last.',
  ),
  'unsupported-media-type': text(
    'The operation does not take this `Content-Type`.',
    'Send the type that the message names.',
  ),
  'invalid-model': text(
    'The collection, field or relation cannot be made or changed in this way.',
    'The message names the part.',
  ),
  'cyclic-references': text(
    'Rows of several collections are imported that refer to each other by fields that take no null.',
    'Let one of the fields take null, or import the rows in two steps.',
  ),
  unprocessable: text('The request is well-formed and contradicts what is there.', 'The message says what.'),
  'key-reused': text('The `Idempotency-Key` was sent with another request.', 'Take a new key for each request.'),
  'request-in-progress': text(
    'A request with the same `Idempotency-Key` is in progress.',
    'Wait for `Retry-After` and send it again.',
  ),
  'unknown-hasher': text('The hash function is not known.', 'Take one that the specification lists.'),
  'last-administrator': text('Nobody would be left who may do everything.', 'Make another administrator first.'),
  'mail-failed': text('The mail could not be handed over.', 'Check `EMAIL_*` with `tandem doctor`.'),
  conflict: text('The data has changed since it was read, or is being changed now.', 'Read it again and decide.'),
  'unsupported-version': text('The upload speaks another version of its protocol.', 'Use tus 1.0.0.'),
  'checksum-mismatch': text('Bytes were lost or changed on the way.', 'Send the part again.'),
  'illegal-transformation': text(
    'The picture cannot be transformed in this way, or the settings do not allow it.',
    'See [transforms](transforms.md) and the setting `storage_asset_transform`.',
  ),
  'precondition-failed': text(
    '`If-Match` names another state than that of the item.',
    'Read it again, merge, and write with the new `ETag`.',
  ),
  'range-not-satisfiable': text('The range is outside of the file.', 'Ask for a range within its size.'),
  'requests-exceeded': text(
    'The caller has sent more requests than allowed, or an API key has spent its requests or its cost.',
    'Wait for `Retry-After`. Limits: `RATE_LIMITER_*`; of [API keys](../keys.md) `KEY_LIMIT_*`, `max_requests` and `max_cost`.',
  ),
  'route-not-found': text(
    'There is no such path.',
    'Check it against `/docs`; the legacy API has the project in the path.',
  ),
  'method-not-allowed': text('The path exists, the method does not.', '`Allow` lists the methods.'),
  'project-not-found': text(
    'There is no project with this key.',
    'Check the path or `X-Platform-Project`; see `PROJECTS_DIR`.',
  ),
  'project-fault': text(
    'The configuration of the project does not hold, or its database is away.',
    'The log says what; `tandem doctor` looks.',
  ),
  unavailable: text(
    'A service that the request needs does not answer, or the server is full.',
    'Wait for `Retry-After`; `/server/health` says which.',
  ),
} as const satisfies { readonly [Kind in ErrorKind]: ErrorText }

/** Codes of version 8 that refine a kind or stand for several, by number, or by status and number. */
export const legacyTexts: { readonly [code: string]: ErrorText } = {
  0: text('A fault of the server. The answer reveals nothing.', 'The log has it, with the id of the request.'),
  1: text('There is no such path, and it does not begin with a project.', 'Check it against `/docs`.'),
  2: text(
    'The body is larger than the limit, or the operation does not take its `Content-Type`.',
    'Send less at once or raise `MAX_PAYLOAD_SIZE`; send a type that the message names.',
  ),
  4: text(
    'A parameter or a value is missing, malformed or out of its bounds, or a validation refuses it.',
    'The message names it, what was expected and what came. The table above has the code with other statuses.',
  ),
  5: text(
    'There is no such path. With the status 410 the API of version 8 is turned off (`LEGACY_ENABLED=false`).',
    'Check it against `/docs`; the legacy API has the project in the path. The message of a 410 names the path that takes its place.',
  ),
  9: text(
    'The database refused a statement in a way that the server does not know, such as a view whose function fails.',
    'The log has the error of the database, with the id of the request. Correct the view, function or right that it names.',
  ),
  11: text('The database of the project does not answer.', 'Start it, or correct its address: `tandem doctor` looks.'),
  12: text(
    'A value refers to no row, is too long or out of range, or belongs to no field; or the request contradicts what is there.',
    'The message names the field, or says what.',
  ),
  13: errorTexts['invalid-payload'],
  14: text('The settings of the project do not hold.', 'The log names the setting.'),
  15: text('The body has several files.', 'Send one file per request.'),
  16: text(
    'A folder of the project, `storage.root` or `storage.thumb_root`, is outside of the folder that projects may use, or cannot be used.',
    'Name a folder below that of the project. The log names the attribute.',
  ),
  17: text('The configuration file of the project cannot be read or written.', 'Check its contents and its rights.'),
  '409 18': text('A project has this key already.', 'Take another key.'),
  19: text('The database that a new project names cannot be used.', 'Correct host, name, user or password.'),
  20: text(
    'The storage of the project lacks an attribute, or one has a value that cannot be, such as a bucket without key.',
    'Complete `storage` in the file of the project. The log names the attribute.',
  ),
  21: text(
    'The project is closed for maintenance, the database or another service does not answer, or the server is full.',
    'Wait for `Retry-After`; `/server/health` says which. Maintenance ends when its file is removed.',
  ),
  22: text(
    'The project asks for a cache that the server does not have, such as memcached.',
    'Set `cache.adapter` to `redis`, `filesystem`, `apc`, `apcu` or `array` in the file of the project.',
  ),
  23: text(
    'The cache of the project lacks an attribute, such as the host of Redis, or one has a value that cannot be.',
    'Complete `cache` in the file of the project. The log names the attribute.',
  ),
  103: text(
    'The account is suspended, invited, a draft or deleted.',
    'An administrator sets its status to `active`; an invitation is accepted.',
  ),
  107: text(
    'A provider proves who the person is, and no account has the address; new ones are not made.',
    'Create a user with the address, or let the provider create users: see [identity providers](../providers.md).',
  ),
  113: text(
    'The role demands a second factor, and the user has none.',
    'Set one up: `GET /_/utils/2fa_secret`, then `POST /_/users/me/activate_2fa`.',
  ),
  205: text('The collection, field or relation is not managed.', 'Register it: `tandem introspect`.'),
  307: text('There is a collection of this name.', 'Take another name, or change that collection.'),
  308: text('The collection has a field of this name.', 'Take another name, or change that field.'),
  400: text('A fault of the server while it changed the data model.', 'The log has it, with the id of the request.'),
  401: text('The `datatype` is not known.', 'Take one of the database; `GET /types` lists them.'),
  402: text('The `datatype` needs a length.', 'Send `length`.'),
  403: text('The `datatype` takes no length.', 'Leave `length` out.'),
  500: text('The program that sends mail cannot be started.', 'Correct `EMAIL_SENDMAIL_PATH`.'),
  501: text('The mail server refuses its settings.', 'Correct `EMAIL_SMTP_*`; `tandem doctor` looks.'),
  502: text('The mail server cannot be used.', 'Check that it answers: `tandem doctor`.'),
  601: text('The file is larger than the server takes.', 'Send a smaller one, or raise `FILES_MAX_UPLOAD_SIZE`.'),
  600: text(
    'The storage did not take the file, for a reason that the server does not know.',
    'The log has the error of the storage, with the id of the request.',
  ),
  602: text(
    'The file is larger than `MAX_FILE_SIZE`, which the form itself gives.',
    'Send a smaller file, or give a larger number in the form.',
  ),
  606: text(
    'The folder or bucket for contents is missing, or is none.',
    'Create it, or correct `STORAGE_<LOCATION>_ROOT` or `_BUCKET`; `tandem doctor` looks.',
  ),
  603: text('The upload ended early.', 'Send it again.'),
  604: text('The form has no file.', 'Send one, in a part with a file name.'),
  607: text('The storage did not take the file.', 'The log says why; `tandem doctor` looks.'),
  207: text('The item has no revision with this number.', 'List them: `/_/items/articles/1/revisions`.'),
  101: text(
    'The token is unknown or forged, or its session has ended.',
    'Log in, or give the user a token (`tandem token`) or a key (`tandem key create`).',
  ),
  104: text('The token to reset a password is no token of this server.', 'Ask for a new mail.'),
  105: text('The token to reset a password is too old.', 'Ask for a new mail.'),
  106: text('There is no such user, or the caller may not see it.', 'Check the id.'),
  108: text('The operation is for users, such as mail, and the request has no token.', 'Log in, or send a token.'),
  109: text('The request token of a login by a provider is unknown.', 'Begin the login again.'),
  110: text('The request token of a login by a provider is older than five minutes.', 'Begin the login again.'),
  114: text('Address or password of a login is missing or malformed.', 'Send `email` and `password`.'),
  115: text(
    'A provider proves who the person is, and the user has a second factor, which this login cannot ask for.',
    'Log in with the password and `otp`, or by the current generation, whose login takes `otp`.',
  ),
  201: errorTexts['system-collection'],
  210: text('The caller may not comment.', 'A permission on comments allows it.'),
  211: text('The caller may not change the comment.', 'Its author may.'),
  212: text('The caller may not delete the comment.', 'Its author may.'),
  215: text('The caller may not read the related collection.', 'A permission on it is needed, too.'),
  300: text(
    'The caller may not read items of the collection.',
    'Give the role a level for reading, or a policy of it a permission.',
  ),
  301: text(
    'The caller may not create items in the collection.',
    'Give the role a level for creating, or a policy of it a permission.',
  ),
  302: text(
    'The caller may not change the item.',
    'Give the role a level for updating (`mine`, `role` or `full`), or a policy of it a permission.',
  ),
  303: text(
    'The caller may not delete the item.',
    'Give the role a level for deleting, or a policy of it a permission.',
  ),
  304: text(
    'The caller may not read the field.',
    'Remove it from the blacklist for reading, or add it to the fields of the permission.',
  ),
  305: text(
    'The caller may not write the field.',
    'Remove it from the blacklist for writing, or add it to the fields of the permission.',
  ),
  306: text('The caller may not change the data model.', 'An administrator may.'),
  309: text(
    'The level is `mine`, and the collection does not say whose an item is.',
    'Add a field of the type `owner`.',
  ),
  608: text('A trigger of the database refused or dropped the row of the file.', 'Its message says why.'),
}

/** Codes that only one protocol of the current generation has: where, cause and cure. */
export const protocolTexts: { readonly [code: string]: ErrorText & { readonly where: string } } = {
  INTERNAL_SERVER_ERROR: {
    where: 'HTTP 500, everywhere',
    ...text('A fault of the server. The answer reveals nothing.', 'The log has it, with the id of the request.'),
  },
  GRAPHQL_VALIDATION: {
    where: 'GraphQL, in `errors`',
    ...text(
      'The document is malformed, names what the schema of the caller does not have, or is beyond a limit (`GRAPHQL_MAX_*`).',
      'Each error says where in the document it is.',
    ),
  },
  PERSISTED_QUERY_NOT_FOUND: {
    where: 'GraphQL, in `errors`',
    ...text('The server knows no document with this SHA-256.', 'Send the text, or add it to `GRAPHQL_DOCUMENTS`.'),
  },
  PERSISTED_QUERY_ONLY: {
    where: 'GraphQL, in `errors`',
    ...text('`GRAPHQL_DOCUMENTS_ONLY` refuses other documents.', 'Add the document to `GRAPHQL_DOCUMENTS`.'),
  },
  AUTH_FAILED: {
    where: 'WebSocket',
    ...text(
      'The token of the message is refused, its session has ended, or the first message did not authenticate.',
      'Send `{"type": "auth", "access_token": "…"}` first.',
    ),
  },
  AUTH_TIMEOUT: {
    where: 'WebSocket',
    ...text(
      'No message authenticated within `WEBSOCKETS_REST_AUTH_TIMEOUT`.',
      'Send `{"type": "auth", "access_token": "…"}` first.',
    ),
  },
}
