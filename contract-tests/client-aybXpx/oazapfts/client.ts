/**
 * Tandem API, current generation
 * 1.0.0
 * DO NOT MODIFY - This file has been generated using oazapfts.
 * See https://www.npmjs.com/package/oazapfts
 */
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "/"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
    server1: "/"
};
export type BatchOperation = {
    /** The operationId. */
    operation?: string;
    /** The method, beside `path`. */
    method?: "POST" | "PATCH" | "DELETE";
    /** The path, with the query string, beside `method`. */
    path?: string;
    /** Values of the path by name; they may be references. */
    parameters?: {
        [key: string]: any;
    };
    /** Values of the query string by name. */
    query?: {
        [key: string]: string | number | boolean | any[] | object;
    };
    /** The body; values in it may be references. */
    body?: any;
    /** Tags that the item may have, as in the header `If-Match`. */
    if_match?: string;
    /** False: `$ref` in the body means nothing. */
    references?: boolean;
};
export type BatchInput = {
    /** The operations in their order. */
    operations: BatchOperation[];
    /** Whether everything is undone at the end. */
    dry_run?: boolean;
};
export type BatchAnswer = {
    /** The status. */
    status: number;
    /** The body; null where there is none. */
    body: any;
    /** Headers about the body, where there are any. */
    headers?: {
        [key: string]: string;
    };
};
export type BatchEnvelope = {
    /** One answer per operation, in their order. */
    data: BatchAnswer[];
    /** Present where everything was undone. */
    dry_run?: true;
};
export type ErrorCode = "FAILED_VALIDATION" | "FORBIDDEN" | "INVALID_TOKEN" | "TOKEN_EXPIRED" | "INVALID_CREDENTIALS" | "INVALID_IP" | "INVALID_PROVIDER" | "INVALID_OTP" | "USER_SUSPENDED" | "INVALID_PAYLOAD" | "INVALID_QUERY" | "INVALID_FOREIGN_KEY" | "NOT_NULL_VIOLATION" | "CONTAINS_NULL_VALUES" | "RECORD_NOT_UNIQUE" | "VALUE_TOO_LONG" | "VALUE_OUT_OF_RANGE" | "CONTENT_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UNPROCESSABLE_CONTENT" | "IMPORT_CYCLICAL_RELATION" | "REQUESTS_EXCEEDED" | "ILLEGAL_ASSET_TRANSFORMATION" | "CONFLICT" | "UNSUPPORTED_VERSION" | "CHECKSUM_MISMATCH" | "PRECONDITION_FAILED" | "RANGE_NOT_SATISFIABLE" | "ROUTE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "SERVICE_UNAVAILABLE" | "INTERNAL_SERVER_ERROR";
export type ErrorFirst = {
    code: ErrorCode;
    /** Description of the error. */
    message: string;
    [key: string]: any;
};
export type ErrorExtensions = {
    code: ErrorCode;
    /** The database's own name of the rule that was broken. */
    constraint?: string;
    /** The key that is taken or leads nowhere, for callers who may read it. */
    value?: string;
    /** Of a batch: the position of the operation that failed. */
    operation?: number;
    [key: string]: any;
};
export type ErrorEntry = {
    /** Description of the error. */
    message: string;
    extensions: ErrorExtensions;
};
export type ErrorBody = {
    error: ErrorFirst;
    /** All failures, the first one first. */
    errors: ErrorEntry[];
    /** Only below `/directus-extension-sync`, whose client reads it. */
    message?: string;
};
export type McpMessage = {
    /** The version of JSON-RPC. */
    jsonrpc: "2.0";
    /** The id of a request, which its answer repeats. */
    id?: string | number | null;
    /** The method of a request. */
    method?: string;
    /** The arguments of the method. */
    params?: {
        [key: string]: any;
    };
    /** The result of a request. */
    result?: {
        [key: string]: any;
    };
    /** The error of a request. */
    error?: {
        [key: string]: any;
    };
};
export type OpenObject = {
    [key: string]: any;
};
export type GraphqlLocation = {
    /** Line of the place; the first is 1. */
    line: number;
    /** Column of the place; the first is 1. */
    column: number;
};
export type GraphqlError = {
    /** The failure in words. */
    message: string;
    /** The places in the document that caused the failure. */
    locations?: GraphqlLocation[];
    /** Keys of the answer that lead to the field. */
    path?: (string | number)[];
    /** The code and what else there is to say. */
    extensions?: {
        [key: string]: any;
    };
};
export type GraphqlAnswer = {
    /** By the keys of the document. */
    data?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** The failures; absent if there are none. */
    errors?: GraphqlError[];
};
export type GraphqlRequest = {
    /** The document; may be left out where `documentId` names it. */
    query?: string;
    /** The SHA-256 of a document that the server knows, in hexadecimal, with or without `sha256:` in front. */
    documentId?: string | null;
    /** Values of the variables. */
    variables?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Which operation of the document is meant. */
    operationName?: string | null;
    /** Only `persistedQuery.sha256Hash` is read. */
    extensions?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
};
export type Provider = {
    /** Name of the provider, as addresses have it. */
    name: string;
    /** Name to show. */
    label?: string;
    /** Protocol that the provider speaks. */
    driver: string;
    /** Name of an icon. */
    icon?: string | null;
};
export type ProvidersEnvelope = {
    /** The providers. */
    data: Provider[];
    /** Whether logging in with e-mail and password is switched off. */
    disableDefault: boolean;
};
export type LoginMode = "json" | "cookie" | "session";
export type LoginInput = {
    /** Compared without regard to case. */
    email: string;
    /** Password of the user. */
    password: string;
    /** One-time password of the second factor. */
    otp?: string;
    mode?: LoginMode;
};
export type Session = {
    /** Milliseconds until the access token expires. */
    expires: number;
    /** Token that `/auth/refresh` exchanges for new tokens; works once. */
    refresh_token?: string;
    /** Token for the `Authorization` header. */
    access_token?: string;
};
export type SessionEnvelope = {
    data: Session;
};
export type ProviderLoginInput = {
    /** Name or address of the user at the provider. */
    identifier: string;
    /** Password of the user. */
    password: string;
    /** One-time password of the second factor. */
    otp?: string;
    mode?: LoginMode;
};
export type ProviderFormInput = {
    /** The text that the login gave to the provider. */
    state: string;
    /** The code of the provider, which the server exchanges for the identity. */
    code?: string;
    /** The provider that answers. */
    iss?: string;
    /** Why there is no code. */
    error?: string;
    [key: string]: any;
};
export type SamlAnswerInput = {
    /** The answer, in base64. */
    SAMLResponse: string;
    /** The state of the login, or the page of an unsolicited answer. */
    RelayState?: string;
    [key: string]: any;
};
export type ProviderLogoutInput = {
    /** Of the session; otherwise a cookie says which it is. */
    refresh_token?: string;
    /** Page to return to; the default is the front page of this server. */
    redirect?: string;
    [key: string]: any;
};
export type SamlLogoutInput = {
    /** The request, in base64. */
    SAMLRequest?: string;
    /** The answer, in base64. */
    SAMLResponse?: string;
    /** The text that the logout gave to the provider, or that the provider wants back. */
    RelayState?: string;
    [key: string]: any;
};
export type LogoutTokenInput = {
    /** The token, a signed JWT. */
    logout_token: string;
    [key: string]: any;
};
export type RefreshInput = {
    /** The refresh token of the session. */
    refresh_token?: string;
    mode?: LoginMode;
};
export type PasswordRequestInput = {
    /** Address of the user. */
    email: string;
    /** Page that the link opens. */
    reset_url?: string;
};
export type PasswordByTokenInput = {
    /** Token from the link in the mail. */
    token: string;
    /** The new password; obeys the policy of the project. */
    password: string;
};
export type FieldList = string | string[];
export type Counts = {
    /** Items that the caller may read. */
    total_count?: number;
    /** Items that filter and search leave. */
    filter_count?: number;
};
export type Permission = {
    /** Policy of the permission; null for built-in rules, which belong to none. */
    policy?: string | Policy | null;
    /** Collection that may be reached. */
    collection?: string;
    /** The permissions. */
    action?: "create" | "read" | "update" | "delete" | "share";
    /** Filter of the items that may be reached; null or an empty object for all of them. */
    permissions?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Filter that written items have to meet. Conditions on related items (`author.id`, `_some`, `_none`, `count(comments)`) are checked on the item as it will be after the whole write, related items included. */
    validation?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Default values of fields of new items. */
    presets?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Fields that may be reached; `*` for all of them. */
    fields?: string[] | null;
    /** Role of the permission, for clients that write permissions by role; also the role that a derived rule is for. */
    role?: string | Role | null;
    [key: string]: any;
};
export type PermissionRead = {
    /** Key; counts up. */
    id?: number;
    /** Policy of the permission; null for built-in rules, which belong to none. */
    policy?: string | Policy | null;
    /** Collection that may be reached. */
    collection?: string;
    /** The permissions. */
    action?: "create" | "read" | "update" | "delete" | "share";
    /** Filter of the items that may be reached; null or an empty object for all of them. */
    permissions?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Filter that written items have to meet. Conditions on related items (`author.id`, `_some`, `_none`, `count(comments)`) are checked on the item as it will be after the whole write, related items included. */
    validation?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Default values of fields of new items. */
    presets?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Fields that may be reached; `*` for all of them. */
    fields?: string[] | null;
    /** Role of the permission, for clients that write permissions by role; also the role that a derived rule is for. */
    role?: string | Role | null;
    /** Whether the permission is built in and not stored. */
    system?: boolean;
    [key: string]: any;
};
export type Policy = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the policy. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the policy is for. */
    description?: string | null;
    /** Addresses, ranges and networks from which the policy counts; null or empty for any. */
    ip_access?: string[] | null;
    /** Whether users with the policy need two-factor authentication. */
    enforce_tfa?: boolean;
    /** Whether the policy allows everything. */
    admin_access?: boolean;
    /** Whether the policy grants the permissions that the application needs. */
    app_access?: boolean;
    /** Attachments of the policy to roles. */
    roles?: (string | Access)[];
    /** Permissions of the policy. */
    permissions?: (number | Permission)[];
    /** Attachments of the policy to users. */
    users?: (string | Access)[];
    [key: string]: any;
};
export type PolicyRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the policy. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the policy is for. */
    description?: string | null;
    /** Addresses, ranges and networks from which the policy counts; null or empty for any. */
    ip_access?: string[] | null;
    /** Whether users with the policy need two-factor authentication. */
    enforce_tfa?: boolean;
    /** Whether the policy allows everything. */
    admin_access?: boolean;
    /** Whether the policy grants the permissions that the application needs. */
    app_access?: boolean;
    /** Attachments of the policy to roles. */
    roles?: (string | Access)[];
    /** Permissions of the policy. */
    permissions?: (number | PermissionRead)[];
    /** Attachments of the policy to users. */
    users?: (string | Access)[];
    [key: string]: any;
};
export type Access = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Role that holds the policy. */
    role?: string | Role | null;
    /** User that the policy is attached to. */
    user?: string | User | null;
    /** The attached policy. */
    policy?: string | Policy;
    /** Order among the attachments of the role or user. */
    sort?: number | null;
    [key: string]: any;
};
export type AccessRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Role that holds the policy. */
    role?: string | Role | null;
    /** User that the policy is attached to. */
    user?: string | User | null;
    /** The attached policy. */
    policy?: string | PolicyRead;
    /** Order among the attachments of the role or user. */
    sort?: number | null;
    [key: string]: any;
};
export type Role = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the role. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the role is for. */
    description?: string | null;
    /** Role whose policies this one inherits. */
    parent?: string | Role | null;
    /** Users who have the role. */
    users?: (string | User)[];
    /** Roles that inherit from this one. */
    children?: (string | Role)[];
    /** Attachments of policies to the role. */
    policies?: (string | Access)[];
    [key: string]: any;
};
export type RoleRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the role. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the role is for. */
    description?: string | null;
    /** Role whose policies this one inherits. */
    parent?: string | RoleRead | null;
    /** Users who have the role. */
    users?: (string | User)[];
    /** Roles that inherit from this one. */
    children?: (string | RoleRead)[];
    /** Attachments of policies to the role. */
    policies?: (string | AccessRead)[];
    [key: string]: any;
};
export type Folder = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the folder. */
    name?: string;
    /** Folder that holds this one; null at the top. */
    parent?: string | Folder | null;
    [key: string]: any;
};
export type File = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the storage that holds the contents. */
    storage?: string;
    /** Name of the contents in the storage. */
    filename_disk?: string | null;
    /** Name under which the file is downloaded. */
    filename_download?: string;
    /** Title of the file. */
    title?: string | null;
    /** Media type of the contents. */
    "type"?: string | null;
    /** Folder that holds the file; null at the top. */
    folder?: string | Folder | null;
    /** Character set of text. */
    charset?: string | null;
    /** Address of embedded contents, such as a video. */
    embed?: string | null;
    /** What the file shows. */
    description?: string | null;
    /** Where a picture was taken. */
    location?: string | null;
    /** Words to find the file by. */
    tags?: string[] | null;
    /** Metadata from the contents (EXIF, IPTC, ICC). */
    metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Column of a picture that crops keep, in pixels from the left. */
    focal_point_x?: number | null;
    /** Row of a picture that crops keep, in pixels from the top. */
    focal_point_y?: number | null;
    [key: string]: any;
};
export type FileRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the storage that holds the contents. */
    storage?: string;
    /** Name of the contents in the storage. */
    filename_disk?: string | null;
    /** Name under which the file is downloaded. */
    filename_download?: string;
    /** Title of the file. */
    title?: string | null;
    /** Media type of the contents. */
    "type"?: string | null;
    /** Folder that holds the file; null at the top. */
    folder?: string | Folder | null;
    /** User who uploaded the file. */
    uploaded_by?: string | User | null;
    /** When the file was created. */
    created_on?: string;
    /** User who last changed the file. */
    modified_by?: string | User | null;
    /** When the file was last changed. */
    modified_on?: string;
    /** When the contents were last uploaded. */
    uploaded_on?: string | null;
    /** Character set of text. */
    charset?: string | null;
    /** Size in bytes, as text because it may exceed the safe integers. */
    filesize?: string | null;
    /** Width of a picture in pixels. */
    width?: number | null;
    /** Height of a picture in pixels. */
    height?: number | null;
    /** Length of audio or video in milliseconds. */
    duration?: number | null;
    /** Address of embedded contents, such as a video. */
    embed?: string | null;
    /** What the file shows. */
    description?: string | null;
    /** Where a picture was taken. */
    location?: string | null;
    /** Words to find the file by. */
    tags?: string[] | null;
    /** Metadata from the contents (EXIF, IPTC, ICC). */
    metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Column of a picture that crops keep, in pixels from the left. */
    focal_point_x?: number | null;
    /** Row of a picture that crops keep, in pixels from the top. */
    focal_point_y?: number | null;
    /** Key of the upload that the contents came by. */
    tus_id?: string | null;
    /** State of the upload that the contents came by. */
    tus_data?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    [key: string]: any;
};
export type User = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | Role | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Password of the login; stored as a hash and shown masked. */
    password?: string | null;
    /** Static token for requests; stored as a hash and shown masked. */
    token?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null;
    /** Picture of the user. */
    avatar?: string | File | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Data of the provider about the user; returned masked. */
    auth_data?: string | null;
    /** Attachments of policies to this user alone. */
    policies?: (string | Access)[];
    [key: string]: any;
};
export type UserRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | RoleRead | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Password of the login; stored as a hash and shown masked. */
    password?: string | null;
    /** Static token for requests; stored as a hash and shown masked. */
    token?: string | null;
    /** Two-factor secret; returned masked, and set by the two-factor operations only. */
    tfa_secret?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null;
    /** Picture of the user. */
    avatar?: string | FileRead | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** When the user last used the API; set by the server. */
    last_access?: string | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Data of the provider about the user; returned masked. */
    auth_data?: string | null;
    /** Attachments of policies to this user alone. */
    policies?: (string | AccessRead)[];
    [key: string]: any;
};
export type UserListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: User[];
};
export type UserListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: UserRead[];
};
export type RolePatchNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the role. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the role is for. */
    description?: string | null;
    /** Role whose policies this one inherits. */
    parent?: string | {
        [key: string]: any;
    } | null;
    /** Users who have the role. */
    users?: (any[] | {
        [key: string]: any;
    }) | null;
    /** Roles that inherit from this one. */
    children?: (any[] | {
        [key: string]: any;
    }) | null;
    /** Attachments of policies to the role. */
    policies?: (any[] | {
        [key: string]: any;
    }) | null;
    [key: string]: any;
};
export type FilePatchNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the storage that holds the contents. */
    storage?: string;
    /** Name of the contents in the storage. */
    filename_disk?: string | null;
    /** Name under which the file is downloaded. */
    filename_download?: string;
    /** Title of the file. */
    title?: string | null;
    /** Media type of the contents. */
    "type"?: string | null;
    /** Folder that holds the file; null at the top. */
    folder?: string | {
        [key: string]: any;
    } | null;
    /** Character set of text. */
    charset?: string | null;
    /** Address of embedded contents, such as a video. */
    embed?: string | null;
    /** What the file shows. */
    description?: string | null;
    /** Where a picture was taken. */
    location?: string | null;
    /** Words to find the file by. */
    tags?: string[] | null | string;
    /** Metadata from the contents (EXIF, IPTC, ICC). */
    metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Column of a picture that crops keep, in pixels from the left. */
    focal_point_x?: number | null;
    /** Row of a picture that crops keep, in pixels from the top. */
    focal_point_y?: number | null;
    [key: string]: any;
};
export type AccessPatchNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Role that holds the policy. */
    role?: string | {
        [key: string]: any;
    } | null;
    /** User that the policy is attached to. */
    user?: string | {
        [key: string]: any;
    } | null;
    /** The attached policy. */
    policy?: string | {
        [key: string]: any;
    };
    /** Order among the attachments of the role or user. */
    sort?: number | null;
    [key: string]: any;
};
export type AccessInputNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Role that holds the policy. */
    role?: string | {
        [key: string]: any;
    } | null;
    /** User that the policy is attached to. */
    user?: string | {
        [key: string]: any;
    } | null;
    /** The attached policy. */
    policy: string | {
        [key: string]: any;
    };
    /** Order among the attachments of the role or user. */
    sort?: number | null;
    [key: string]: any;
};
export type AccessRelated = (string | AccessPatchNested)[] | {
    create?: AccessInputNested[];
    update?: AccessPatchNested[];
    "delete"?: string[];
};
export type UserInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | RolePatchNested | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null | string;
    /** Picture of the user. */
    avatar?: string | FilePatchNested | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Attachments of policies to this user alone. */
    policies?: AccessRelated | null;
    [key: string]: any;
};
export type UserInputWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | RolePatchNested | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Password of the login; stored as a hash and shown masked. */
    password?: string | null;
    /** Static token for requests; stored as a hash and shown masked. */
    token?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null | string;
    /** Picture of the user. */
    avatar?: string | FilePatchNested | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Data of the provider about the user; returned masked. */
    auth_data?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Attachments of policies to this user alone. */
    policies?: AccessRelated | null;
    [key: string]: any;
};
export type UserOneOrSeveral = UserInput | UserInput[];
export type UserOneOrSeveralWrite = UserInputWrite | UserInputWrite[];
export type UserOrListEnvelope = {
    /** One, or a list. */
    data: User | User[];
};
export type UserOrListEnvelopeRead = {
    /** One, or a list. */
    data: UserRead | UserRead[];
};
export type Key = string | number;
export type Keys = Key[];
export type UserPatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | RolePatchNested | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null | string;
    /** Picture of the user. */
    avatar?: string | FilePatchNested | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Attachments of policies to this user alone. */
    policies?: AccessRelated | null;
    [key: string]: any;
};
export type UserPatchWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | RolePatchNested | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Password of the login; stored as a hash and shown masked. */
    password?: string | null;
    /** Static token for requests; stored as a hash and shown masked. */
    token?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null | string;
    /** Picture of the user. */
    avatar?: string | FilePatchNested | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Data of the provider about the user; returned masked. */
    auth_data?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Attachments of policies to this user alone. */
    policies?: AccessRelated | null;
    [key: string]: any;
};
export type UserChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: UserPatch;
} | UserPatch[];
export type UserChangesWrite = {
    keys?: Keys;
    query?: OpenObject;
    data: UserPatchWrite;
} | UserPatchWrite[];
export type ItemTarget = Keys | {
    keys?: Keys;
    query?: OpenObject;
};
export type UserEnvelope = {
    data: User;
};
export type UserEnvelopeRead = {
    data: UserRead;
};
export type CollectionTranslation = {
    /** Language and country. */
    language?: string;
    /** Name of the collection. */
    translation?: string | null;
    /** Name of one item. */
    singular?: string | null;
    /** Name of several items. */
    plural?: string | null;
    [key: string]: any;
};
export type CollectionMeta = {
    /** Name of the collection. */
    collection?: string;
    /** Name of an icon. */
    icon?: string | null;
    /** What the collection is for. */
    note?: string | null;
    /** Text for an item, with fields in double braces. */
    display_template?: string | null;
    /** Whether the application leaves the collection out of its lists. */
    hidden?: boolean;
    /** Holds one item at most. */
    singleton?: boolean;
    /** Names in languages, `{language, translation, singular, plural}`. */
    translations?: CollectionTranslation[] | null;
    /** Field that marks items as archived. */
    archive_field?: string | null;
    /** Whether the application hides archived items. */
    archive_app_filter?: boolean;
    /** Value of the archive field of archived items. */
    archive_value?: string | null;
    /** Value of the archive field after restoring an item. */
    unarchive_value?: string | null;
    /** Default field to sort by. */
    sort_field?: string | null;
    /** What writes leave behind: activity and revisions, activity, nothing. */
    accountability?: ("all" | "activity" | null) | ("all" | "activity" | null);
    /** Color of the icon. */
    color?: string | null;
    /** Fields that a copy of an item takes over. */
    item_duplication_fields?: string[] | null;
    /** Place of the collection among the others. */
    sort?: number | null;
    /** The folder or collection above it in the navigation. */
    group?: string | null;
    /** How the application shows the collections in this one: `open`, `closed` or `locked` open. */
    collapse?: "open" | "closed" | "locked";
    /** Address of a preview of an item, with fields in double braces. */
    preview_url?: string | null;
    /** Whether items may have versions. */
    versioning?: boolean;
    /** State of the collection for applications, such as `active`; the server keeps it. */
    status?: string;
    /** Seconds between revisions that an application saves by itself; the server keeps it. */
    autosave_revision_interval?: number | null;
    /** One of the system's own. */
    system?: boolean;
} | null;
export type TableSchema = {
    /** Name of the table. */
    name?: string;
    /** Schema of the database that holds the table. */
    schema?: string | null;
    /** Comment of the table in the database. */
    comment?: string | null;
    /** Statement that created the table, if the database reports it. */
    sql?: string | null;
    /** Whether the table is outside the search path; always false here. */
    fallback?: boolean;
    /** Collation of the table, where the database has one. */
    collation?: string | null;
    /** Storage engine of the table, where the database has one. */
    engine?: string | null;
} | null;
export type Collection = {
    /** Name of the collection. */
    collection: string;
    meta: CollectionMeta;
    schema: TableSchema;
};
export type CollectionListEnvelope = {
    /** The collections. */
    data: Collection[];
};
export type FieldTypeName = ("string" | "text" | "boolean" | "integer" | "bigInteger" | "float" | "decimal" | "dateTime" | "timestamp" | "date" | "time" | "json" | "csv" | "uuid" | "hash" | "binary" | "geometry" | "geometry.Point" | "geometry.LineString" | "geometry.Polygon" | "geometry.MultiPoint" | "geometry.MultiLineString" | "geometry.MultiPolygon" | "alias" | "o2m" | "m2m" | "m2a" | "o2a" | "files" | "translations" | "unknown" | null) | ("string" | "text" | "boolean" | "integer" | "bigInteger" | "float" | "decimal" | "dateTime" | "timestamp" | "date" | "time" | "json" | "csv" | "uuid" | "hash" | "binary" | "geometry" | "geometry.Point" | "geometry.LineString" | "geometry.Polygon" | "geometry.MultiPoint" | "geometry.MultiLineString" | "geometry.MultiPolygon" | "alias" | "o2m" | "m2m" | "m2a" | "o2a" | "files" | "translations" | "unknown" | null);
export type ColumnSchema = {
    /** Name of the column. */
    name?: string;
    /** Name of the table. */
    table?: string;
    /** Schema of the database that holds the table. */
    schema?: string | null;
    /** Type of the column, as the database names it. Written for `geometry`, and for the width of a number: `smallint` for `integer`, `double precision` for `float`; other names are ignored. */
    data_type?: string;
    /** A constant in the form of its values (of a json field JSON), or an expression as the database writes it. */
    default_value?: any;
    /** Characters at most; null for any number. */
    max_length?: number | null;
    /** The same as `max_length`. */
    length?: number | null;
    /** Digits of a number. */
    numeric_precision?: number | null;
    /** Digits of a number after the point. */
    numeric_scale?: number | null;
    /** Whether the column takes null. */
    is_nullable?: boolean;
    /** Whether no two rows have the same value. */
    is_unique?: boolean;
    /** Whether the column has an index. */
    is_indexed?: boolean;
    /** Whether the column is the primary key. */
    is_primary_key?: boolean;
    /** Whether the database computes the value. */
    is_generated?: boolean;
    /** How the database computes the value. */
    generation_expression?: string | null;
    /** The words of an enumerated type, in its order; only of such a column. */
    allowed_values?: string[];
    /** Whether the value counts up. */
    has_auto_increment?: boolean;
    /** Schema of the table that the column points at. */
    foreign_key_schema?: string | null;
    /** Table that the column points at. */
    foreign_key_table?: string | null;
    /** Column that the column points at. */
    foreign_key_column?: string | null;
    /** Comment of the column in the database. */
    comment?: string | null;
} | null;
export type FieldTranslation = {
    /** Language and country. */
    language?: string;
    /** Name of the field. */
    translation?: string | null;
    [key: string]: any;
};
export type FieldCondition = {
    /** Name of the condition. */
    name?: string | null;
    /** Filter that the item has to meet. */
    rule?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether the form then only shows the field. */
    "readonly"?: boolean | null;
    /** Whether the form then leaves the field out. */
    hidden?: boolean | null;
    /** Whether the field then needs a value. */
    required?: boolean | null;
    /** Options that the interface then has. */
    options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    [key: string]: any;
};
export type FieldMeta = {
    /** Key of the row with these settings. */
    id?: number;
    /** Name of the collection. */
    collection?: string;
    /** Name of the field. */
    field?: string;
    /** Flags that change how values are written or shown. `primary-key` declares the key of a view, or of a table that has none. */
    special?: string[] | null;
    /** How the application edits the field. */
    "interface"?: string | null;
    /** Options of the interface. */
    options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** How the application shows the field in lists. */
    display?: string | null;
    /** Options of the display. */
    display_options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether the application refuses to edit the field. */
    "readonly"?: boolean;
    /** Whether the application leaves the field out of forms. */
    hidden?: boolean;
    /** Place of the field in forms. */
    sort?: number | null;
    /** Width of the field in forms. */
    width?: ("half" | "half-left" | "half-right" | "full" | "fill" | null) | ("half" | "half-left" | "half-right" | "full" | "fill" | null);
    /** Names in languages, `{language, translation}`. */
    translations?: FieldTranslation[] | null;
    /** What the field is for. */
    note?: string | null;
    /** Rules that change the field in forms, `{rule, readonly, hidden, …}`. */
    conditions?: FieldCondition[] | null;
    /** Whether a new item needs a value. */
    required?: boolean | null;
    /** The group field that contains the field. */
    group?: string | null;
    /** A filter that written values have to meet. */
    validation?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Error message for values that do not match the validation. */
    validation_message?: string | null;
    /** Whether `search` looks at the field. */
    searchable?: boolean;
    /** One of the system's own. */
    system?: boolean;
} | null;
export type FieldInput = {
    /** Name of the collection; the same as in the path. */
    collection?: string;
    /** Name of the field: letters, digits, underscores, and hyphens and spaces between them, with a letter or an underscore first. GraphQL leaves out fields with a hyphen or a space. */
    field: string;
    "type"?: FieldTypeName;
    schema?: ColumnSchema;
    meta?: FieldMeta;
};
export type CollectionInput = {
    /** Name of the collection: letters, digits and underscores, no digit first. */
    collection: string;
    meta?: CollectionMeta;
    schema?: TableSchema;
    /** Fields of the new table. */
    fields?: FieldInput[];
};
export type CollectionsInput = CollectionInput | CollectionInput[];
export type CollectionOrListEnvelope = {
    /** The collection, or the list of them. */
    data: Collection | Collection[];
};
export type NamedCollectionChange = {
    /** Name of the collection that changes. */
    collection: string;
    meta: CollectionMeta;
    schema?: TableSchema;
};
export type CollectionChanges = NamedCollectionChange[];
export type CollectionNames = string[];
export type CollectionEnvelope = {
    data: Collection;
};
export type CollectionChange = {
    /** Name of the collection; cannot change. */
    collection?: string;
    meta?: CollectionMeta;
    schema?: TableSchema;
};
export type Field = {
    /** Name of the collection. */
    collection: string;
    /** Name of the field. */
    field: string;
    "type": FieldTypeName;
    schema: ColumnSchema;
    meta: FieldMeta;
};
export type FieldListEnvelope = {
    /** The fields. */
    data: Field[];
};
export type FieldsInput = FieldInput | FieldInput[];
export type FieldOrListEnvelope = {
    /** The field, or the list of them. */
    data: Field | Field[];
};
export type FieldChanges = FieldInput[];
export type FieldNames = string[];
export type FieldEnvelope = {
    data: Field;
};
export type FieldChange = {
    /** Name of the collection; cannot change. */
    collection?: string;
    /** Name of the field; cannot change. */
    field?: string;
    "type"?: FieldTypeName;
    schema?: ColumnSchema;
    meta?: FieldMeta;
};
export type ReferentialAction = ("NO ACTION" | "RESTRICT" | "CASCADE" | "SET NULL" | "SET DEFAULT" | null) | ("NO ACTION" | "RESTRICT" | "CASCADE" | "SET NULL" | "SET DEFAULT" | null);
export type ForeignKeySchema = {
    /** Table that holds the keys. */
    table?: string;
    /** Column that holds the keys. */
    column?: string;
    /** Schema of the table that the keys are of. */
    foreign_key_schema?: string | null;
    /** Table that the keys are of. */
    foreign_key_table?: string;
    /** Column that the keys are of. */
    foreign_key_column?: string;
    /** Name of the foreign key. */
    constraint_name?: string | null;
    on_update?: ReferentialAction;
    on_delete?: ReferentialAction;
} | null;
export type RelationMeta = {
    /** Key of the row with these settings; null for a foreign key without any. */
    id?: number | null;
    /** Collection that holds the keys. */
    many_collection?: string;
    /** Field that holds the keys. */
    many_field?: string;
    /** Collection that the keys are of; null where several may be meant. */
    one_collection?: string | null;
    /** The alias on the other side. */
    one_field?: string | null;
    /** Field that names the collection of a key, where several may be meant. */
    one_collection_field?: string | null;
    /** Collections that the keys may be of, where several may be meant. */
    one_allowed_collections?: string[] | null;
    /** Field that leads on, where the collection joins two others. */
    junction_field?: string | null;
    /** Field that orders the related items. */
    sort_field?: string | null;
    /** What happens to items removed from the list: the key is cleared, or they are deleted. */
    one_deselect_action?: "nullify" | "delete";
    /** One of the system's own. */
    system?: boolean;
} | null;
export type Relation = {
    /** Collection that holds the keys. */
    collection: string;
    /** Field that holds the keys. */
    field: string;
    /** Collection that the keys are of; null where several may be meant. */
    related_collection: string | null;
    schema: ForeignKeySchema;
    meta: RelationMeta;
};
export type RelationListEnvelope = {
    /** The relations. */
    data: Relation[];
};
export type RelationInput = {
    /** Collection that holds the keys. */
    collection: string;
    /** Field that holds the keys; created if missing. */
    field: string;
    /** Collection that the keys are of; null where several may be meant. */
    related_collection?: string | null;
    schema?: ForeignKeySchema;
    meta?: RelationMeta;
};
export type RelationEnvelope = {
    data: Relation;
};
export type RelationChange = {
    /** Collection that holds the keys; cannot change. */
    collection?: string;
    /** Field that holds the keys; cannot change. */
    field?: string;
    /** Collection that the keys are of; cannot change. */
    related_collection?: string | null;
    schema?: ForeignKeySchema;
    meta?: RelationMeta;
};
export type SnapshotScope = string | string[];
export type SnapshotCollection = {
    /** Name of the collection. */
    collection: string;
    meta?: CollectionMeta;
    schema?: TableSchema;
};
export type SnapshotField = {
    /** Name of the collection. */
    collection: string;
    /** Name of the field. */
    field: string;
    "type"?: FieldTypeName;
    schema?: ColumnSchema;
    meta?: FieldMeta;
};
export type SchemaSnapshot = {
    /** Format; 1 is a complete data model and 2 a part of one. */
    version: number;
    /** Version of the server that made the snapshot. */
    platform: string;
    /** Version of the platform whose API the server has (`COMPATIBLE_VERSION`); for tools of that platform. */
    directus?: string;
    /** Vendor of the database that the snapshot describes. */
    vendor?: string | null;
    /** The collections. */
    collections: SnapshotCollection[];
    /** The fields of all collections. */
    fields: SnapshotField[];
    /** The relations between the collections. */
    relations: RelationInput[];
    /** Changed system fields; always empty, and ignored when given. */
    systemFields?: {
        [key: string]: any;
    }[];
};
export type SchemaSnapshotEnvelope = {
    data: SchemaSnapshot;
};
export type SchemaSnapshotAnswer = SchemaSnapshotEnvelope | SchemaSnapshot;
export type GivenSnapshot = {
    /** Format of the snapshot. */
    version: number;
    /** Version of the server that made the snapshot. */
    platform?: string;
    /** Version of the Directus server that made the snapshot. */
    directus?: string;
    /** Vendor of the database that the snapshot describes. */
    vendor?: string | null;
    /** The collections. */
    collections: {
        [key: string]: any;
    }[];
    /** The fields of all collections. */
    fields: {
        [key: string]: any;
    }[];
    /** The relations between the collections. */
    relations: {
        [key: string]: any;
    }[];
    [key: string]: any;
};
export type SchemaChangeKind = "N" | "D" | "E" | "A";
export type SchemaChangePath = (string | number)[];
export type SchemaElementChange = {
    kind: SchemaChangeKind;
    /** The value before. */
    lhs?: any;
    /** The value after. */
    rhs?: any;
};
export type SchemaChange = {
    kind: SchemaChangeKind;
    path?: SchemaChangePath;
    /** The value before. */
    lhs?: any;
    /** The value after. */
    rhs?: any;
    /** Place in the list. */
    index?: number;
    item?: SchemaElementChange;
};
export type SchemaChanges = SchemaChange[];
export type CollectionDiff = {
    /** Name of the collection. */
    collection: string;
    diff: SchemaChanges;
};
export type FieldDiff = {
    /** Name of the collection. */
    collection: string;
    /** Name of the field. */
    field: string;
    diff: SchemaChanges;
};
export type RelationDiff = {
    /** Collection that holds the keys. */
    collection: string;
    /** Field that holds the keys. */
    field: string;
    /** Collection that the keys are of; null where several may be meant. */
    related_collection?: string | null;
    diff: SchemaChanges;
};
export type SchemaDifferences = {
    /** Changes to collections. */
    collections: CollectionDiff[];
    /** Changes to fields. */
    fields: FieldDiff[];
    /** Changes to relations. */
    relations: RelationDiff[];
    /** Changes to system fields; always empty, and ignored when given. */
    systemFields?: {
        [key: string]: any;
    }[];
};
export type SchemaDiff = {
    /** Fingerprint of the data model and the version of the server. */
    hash: string;
    diff: SchemaDifferences;
};
export type SchemaDiffEnvelope = {
    data: SchemaDiff;
};
export type ConfigurationEntry = {
    [key: string]: any;
};
export type ConfigurationEntries = {
    [key: string]: ConfigurationEntry;
};
export type ConfigurationTexts = {
    [key: string]: string;
};
export type ConfigurationTranslations = {
    [key: string]: ConfigurationTexts;
};
export type ConfigurationSettings = {
    [key: string]: any;
} | {
    [key: string]: any;
};
export type ConfigurationPresets = ConfigurationEntry[] | null;
export type ConfigurationWebhooks = ConfigurationEntry[] | null;
export type Configuration = {
    collections: ConfigurationEntries;
    roles: ConfigurationEntries;
    policies: ConfigurationEntries;
    dashboards: ConfigurationEntries;
    translations: ConfigurationTranslations;
    settings: ConfigurationSettings;
    presets: ConfigurationPresets;
    webhooks: ConfigurationWebhooks;
};
export type ConfigurationEnvelope = {
    data: Configuration;
};
export type GivenConfiguration = {
    collections?: ConfigurationEntries;
    roles?: ConfigurationEntries;
    policies?: ConfigurationEntries;
    dashboards?: ConfigurationEntries;
    translations?: ConfigurationTranslations;
    settings?: ConfigurationSettings;
    presets?: ConfigurationPresets;
    webhooks?: ConfigurationWebhooks;
};
export type ConfigurationSecrets = string[];
export type ConfigurationPlanInput = {
    configuration: GivenConfiguration;
    /** Delete what the configuration does not have. */
    prune?: boolean;
    secrets?: ConfigurationSecrets;
};
export type UsedAs = "call" | "read" | "create" | "update" | "delete";
export type AffectedClient = {
    /** Name and version of the program. */
    client: string;
    /** Generation of the API. */
    generation: string;
    /** The operationId. */
    operation: string;
    access: UsedAs;
    /** Names of a collection and of fields, joined by dots. */
    path: string;
    /** Whether the client fails; `perhaps` if that depends on values, or if it reads all fields. */
    severity: "breaking" | "perhaps";
    /** Time of its last request. */
    last_call: string;
};
export type PlannedChange = {
    /** The change, for people. */
    words: string;
    /** What becomes of the thing. */
    effect: "create" | "change" | "delete";
    /** The collection that changes. */
    collection: string | null;
    /** The fields that change; null = not single ones. */
    fields: string[] | null;
    /** The policy whose rights change. */
    policy: string | null;
    /** What clients can no longer do as before. */
    breaks: ("create" | "read" | "update" | "delete")[];
    /** Whether clients fail that use what changes. */
    severity: "breaking" | "perhaps" | "safe";
    /** The clients that are counted for it, the latest first. */
    clients: AffectedClient[];
};
export type ConfigurationPlan = {
    /** The changes in their order. */
    changes: PlannedChange[];
    /** What the configuration does not have and stays. */
    kept: string[];
};
export type ConfigurationPlanEnvelope = {
    data: ConfigurationPlan;
};
export type ConfigurationInput = {
    configuration: GivenConfiguration;
    /** Delete what the configuration does not have. */
    prune?: boolean;
    secrets?: ConfigurationSecrets;
    /** The words of the changes that were agreed to, in their order. */
    changes: string[];
};
export type Generation = "current" | "legacy";
export type Successor = {
    /** The operationId. */
    id: string;
    /** Its method. */
    method: string;
    /** Its path. */
    path: string;
};
export type UsageCount = {
    /** Name and version of the program. */
    client: string;
    /** Generation of the API; empty for what is added up. */
    generation: string;
    /** The operationId. */
    operation: string;
    access: UsedAs;
    /** Names of a collection and of fields, joined by dots; empty for a call. */
    path: string;
    /** Number of requests. */
    calls: number;
    /** Time of the first request. */
    first_call: string;
    /** Time of the last request. */
    last_call: string;
    /** Method and path of an operation of an older generation; else null. */
    called: string | null;
    /** What takes the place of an operation of an older generation. */
    successors: Successor[];
    /** What changes with the successors, in a sentence. */
    changes: string | null;
};
export type UsageEnvelope = {
    /** The uses. */
    data: UsageCount[];
};
export type PageInput = {
    /** Address of the page in the application. */
    last_page: string;
};
export type InviteInput = {
    /** One address, or several in a list. */
    email: string | string[];
    /** Role of the new users. */
    role: string;
    /** Page that the link opens. */
    invite_url?: string;
};
export type RegisterInput = {
    /** Address for the login and for mails. */
    email: string;
    /** Password; obeys the policy of the project. */
    password: string;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Page that the link opens. */
    verification_url?: string;
};
export type TfaGenerateInput = {
    /** Password of the caller. */
    password: string;
};
export type SecondFactor = {
    /** The secret in base 32. */
    secret: string;
    /** Address to show as a QR code to an authenticator app. */
    otpauth_url: string;
};
export type SecondFactorEnvelope = {
    data: SecondFactor;
};
export type TfaEnableInput = {
    /** The secret that was generated. */
    secret: string;
    /** Code of the app. */
    otp: string;
};
export type TfaDisableInput = {
    /** Code of the app. */
    otp: string;
};
export type ApiKey = {
    /** Id of the key. */
    id: string;
    /** Id of the user as whom the key acts. */
    user: string;
    /** What the key is for. */
    name: string;
    /** The first characters of the key, to recognize it. */
    prefix: string;
    /** Ids of the policies that the key has; null for all permissions of the user. */
    policies: string[] | null;
    /** Requests per window; null for the limit of the server. */
    max_requests: number | null;
    /** Cost per window; null for the limit of the server. */
    max_cost: number | null;
    /** When the key stops working; null for never. */
    expires: string | null;
    /** When it was created. */
    created: string;
    /** When it was last used, to the minute; null for never. */
    last_used: string | null;
};
export type ApiKeysEnvelope = {
    /** The keys. */
    data: ApiKey[];
};
export type ApiKeyInput = {
    /** What the key is for. */
    name: string;
    /** Id of the user as whom the key acts; the caller by default. */
    user?: string;
    /** Ids of the user's policies that the key has; null for all permissions of the user. */
    policies?: string[] | null;
    /** When the key stops working, a time to come; null for never. */
    expires?: string | null;
    /** Requests per window; null for the limit of the server (`KEY_LIMIT_REQUESTS`). */
    max_requests?: number | null;
    /** Cost per window; null for the limit of the server (`KEY_LIMIT_COST`). */
    max_cost?: number | null;
};
export type NewApiKey = {
    /** Id of the key. */
    id: string;
    /** Id of the user as whom the key acts. */
    user: string;
    /** What the key is for. */
    name: string;
    /** The first characters of the key, to recognize it. */
    prefix: string;
    /** Ids of the policies that the key has; null for all permissions of the user. */
    policies: string[] | null;
    /** Requests per window; null for the limit of the server. */
    max_requests: number | null;
    /** Cost per window; null for the limit of the server. */
    max_cost: number | null;
    /** When the key stops working; null for never. */
    expires: string | null;
    /** When it was created. */
    created: string;
    /** When it was last used, to the minute; null for never. */
    last_used: string | null;
    /** The key itself, in this answer only. */
    key: string;
};
export type NewApiKeyEnvelope = {
    data: NewApiKey;
};
export type ApiKeyChanges = {
    /** What the key is for. */
    name?: string;
    /** Ids of the user's policies that the key has; null for all permissions of the user. */
    policies?: string[] | null;
    /** When the key stops working, a time to come; null for never. */
    expires?: string | null;
    /** Requests per window; null for the limit of the server (`KEY_LIMIT_REQUESTS`). */
    max_requests?: number | null;
    /** Cost per window; null for the limit of the server (`KEY_LIMIT_COST`). */
    max_cost?: number | null;
};
export type ApiKeyEnvelope = {
    data: ApiKey;
};
export type RoleListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Role[];
};
export type RoleListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: RoleRead[];
};
export type UserPatchNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | {
        [key: string]: any;
    } | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null | string;
    /** Picture of the user. */
    avatar?: string | {
        [key: string]: any;
    } | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Attachments of policies to this user alone. */
    policies?: (any[] | {
        [key: string]: any;
    }) | null;
    [key: string]: any;
};
export type UserPatchNestedWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | {
        [key: string]: any;
    } | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Password of the login; stored as a hash and shown masked. */
    password?: string | null;
    /** Static token for requests; stored as a hash and shown masked. */
    token?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null | string;
    /** Picture of the user. */
    avatar?: string | {
        [key: string]: any;
    } | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Data of the provider about the user; returned masked. */
    auth_data?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Attachments of policies to this user alone. */
    policies?: (any[] | {
        [key: string]: any;
    }) | null;
    [key: string]: any;
};
export type UserInputNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | {
        [key: string]: any;
    } | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null | string;
    /** Picture of the user. */
    avatar?: string | {
        [key: string]: any;
    } | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Attachments of policies to this user alone. */
    policies?: (any[] | {
        [key: string]: any;
    }) | null;
    [key: string]: any;
};
export type UserInputNestedWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** State of the account; only an `active` user can log in. */
    status?: "draft" | "invited" | "unverified" | "active" | "suspended" | "archived";
    /** Role of the user; the user has the policies of the role. */
    role?: string | {
        [key: string]: any;
    } | null;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
    /** Address for the login and for mails; unique without regard to case, stored in lower case. */
    email?: string | null;
    /** Password of the login; stored as a hash and shown masked. */
    password?: string | null;
    /** Static token for requests; stored as a hash and shown masked. */
    token?: string | null;
    /** Where the user is. */
    location?: string | null;
    /** Title or position. */
    title?: string | null;
    /** Short description of the user. */
    description?: string | null;
    /** Words to find the user by. */
    tags?: string[] | null | string;
    /** Picture of the user. */
    avatar?: string | {
        [key: string]: any;
    } | null;
    /** Language of the application; null for that of the project. */
    language?: string | null;
    /** Direction of text: `auto`, `ltr` or `rtl`. */
    text_direction?: string;
    /** Appearance of the application: `auto`, `light` or `dark`; null for that of the project. */
    appearance?: string | null;
    /** Theme where the appearance is dark. */
    theme_dark?: string | null;
    /** Theme where the appearance is light. */
    theme_light?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Whether notifications are also mailed. */
    email_notifications?: boolean | null;
    /** Page of the application that the user saw last. */
    last_page?: string | null;
    /** Provider of the identity; `default` for e-mail and password. */
    provider?: string;
    /** Key of the user at the provider; unique per provider. */
    external_identifier?: string | null;
    /** Data of the provider about the user; returned masked. */
    auth_data?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Attachments of policies to this user alone. */
    policies?: (any[] | {
        [key: string]: any;
    }) | null;
    [key: string]: any;
};
export type UserRelated = (string | UserPatchNested)[] | {
    create?: UserInputNested[];
    update?: UserPatchNested[];
    "delete"?: string[];
};
export type UserRelatedWrite = (string | UserPatchNestedWrite)[] | {
    create?: UserInputNestedWrite[];
    update?: UserPatchNestedWrite[];
    "delete"?: string[];
};
export type RoleInputNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the role. */
    name: string;
    /** Name of an icon. */
    icon?: string;
    /** What the role is for. */
    description?: string | null;
    /** Role whose policies this one inherits. */
    parent?: string | {
        [key: string]: any;
    } | null;
    /** Users who have the role. */
    users?: (any[] | {
        [key: string]: any;
    }) | null;
    /** Roles that inherit from this one. */
    children?: (any[] | {
        [key: string]: any;
    }) | null;
    /** Attachments of policies to the role. */
    policies?: (any[] | {
        [key: string]: any;
    }) | null;
    [key: string]: any;
};
export type RoleRelated = (string | RolePatchNested)[] | {
    create?: RoleInputNested[];
    update?: RolePatchNested[];
    "delete"?: string[];
};
export type RoleInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the role. */
    name: string;
    /** Name of an icon. */
    icon?: string;
    /** What the role is for. */
    description?: string | null;
    /** Role whose policies this one inherits. */
    parent?: string | RolePatchNested | null;
    /** Users who have the role. */
    users?: UserRelated | null;
    /** Roles that inherit from this one. */
    children?: RoleRelated | null;
    /** Attachments of policies to the role. */
    policies?: AccessRelated | null;
    [key: string]: any;
};
export type RoleInputWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the role. */
    name: string;
    /** Name of an icon. */
    icon?: string;
    /** What the role is for. */
    description?: string | null;
    /** Role whose policies this one inherits. */
    parent?: string | RolePatchNested | null;
    /** Users who have the role. */
    users?: UserRelatedWrite | null;
    /** Roles that inherit from this one. */
    children?: RoleRelated | null;
    /** Attachments of policies to the role. */
    policies?: AccessRelated | null;
    [key: string]: any;
};
export type RoleOneOrSeveral = RoleInput | RoleInput[];
export type RoleOneOrSeveralWrite = RoleInputWrite | RoleInputWrite[];
export type RoleOrListEnvelope = {
    /** One, or a list. */
    data: Role | Role[];
};
export type RoleOrListEnvelopeRead = {
    /** One, or a list. */
    data: RoleRead | RoleRead[];
};
export type RolePatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the role. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the role is for. */
    description?: string | null;
    /** Role whose policies this one inherits. */
    parent?: string | RolePatchNested | null;
    /** Users who have the role. */
    users?: UserRelated | null;
    /** Roles that inherit from this one. */
    children?: RoleRelated | null;
    /** Attachments of policies to the role. */
    policies?: AccessRelated | null;
    [key: string]: any;
};
export type RolePatchWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the role. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the role is for. */
    description?: string | null;
    /** Role whose policies this one inherits. */
    parent?: string | RolePatchNested | null;
    /** Users who have the role. */
    users?: UserRelatedWrite | null;
    /** Roles that inherit from this one. */
    children?: RoleRelated | null;
    /** Attachments of policies to the role. */
    policies?: AccessRelated | null;
    [key: string]: any;
};
export type RoleChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: RolePatch;
} | RolePatch[];
export type RoleChangesWrite = {
    keys?: Keys;
    query?: OpenObject;
    data: RolePatchWrite;
} | RolePatchWrite[];
export type RoleEnvelope = {
    data: Role;
};
export type RoleEnvelopeRead = {
    data: RoleRead;
};
export type PolicyListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Policy[];
};
export type PolicyListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: PolicyRead[];
};
export type PermissionPatchNested = {
    /** Policy of the permission; null for built-in rules, which belong to none. */
    policy?: string | {
        [key: string]: any;
    } | null;
    /** Collection that may be reached. */
    collection?: string;
    /** The permissions. */
    action?: "create" | "read" | "update" | "delete" | "share";
    /** Filter of the items that may be reached; null or an empty object for all of them. */
    permissions?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Filter that written items have to meet. Conditions on related items (`author.id`, `_some`, `_none`, `count(comments)`) are checked on the item as it will be after the whole write, related items included. */
    validation?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Default values of fields of new items. */
    presets?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Fields that may be reached; `*` for all of them. */
    fields?: string[] | null | string;
    /** Role of the permission, for clients that write permissions by role; also the role that a derived rule is for. */
    role?: string | {
        [key: string]: any;
    } | null;
    [key: string]: any;
};
export type PermissionInputNested = {
    /** Policy of the permission; null for built-in rules, which belong to none. */
    policy?: string | {
        [key: string]: any;
    } | null;
    /** Collection that may be reached. */
    collection: string;
    /** The permissions. */
    action: "create" | "read" | "update" | "delete" | "share";
    /** Filter of the items that may be reached; null or an empty object for all of them. */
    permissions?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Filter that written items have to meet. Conditions on related items (`author.id`, `_some`, `_none`, `count(comments)`) are checked on the item as it will be after the whole write, related items included. */
    validation?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Default values of fields of new items. */
    presets?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Fields that may be reached; `*` for all of them. */
    fields?: string[] | null | string;
    /** Role of the permission, for clients that write permissions by role; also the role that a derived rule is for. */
    role?: string | {
        [key: string]: any;
    } | null;
    [key: string]: any;
};
export type PermissionRelated = (number | PermissionPatchNested)[] | {
    create?: PermissionInputNested[];
    update?: PermissionPatchNested[];
    "delete"?: number[];
};
export type PolicyInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the policy. */
    name: string;
    /** Name of an icon. */
    icon?: string;
    /** What the policy is for. */
    description?: string | null;
    /** Addresses, ranges and networks from which the policy counts; null or empty for any. */
    ip_access?: string[] | null | string;
    /** Whether users with the policy need two-factor authentication. */
    enforce_tfa?: boolean;
    /** Whether the policy allows everything. */
    admin_access?: boolean;
    /** Whether the policy grants the permissions that the application needs. */
    app_access?: boolean;
    /** Attachments of the policy to roles. */
    roles?: AccessRelated | null;
    /** Permissions of the policy. */
    permissions?: PermissionRelated | null;
    /** Attachments of the policy to users. */
    users?: AccessRelated | null;
    [key: string]: any;
};
export type PolicyOneOrSeveral = PolicyInput | PolicyInput[];
export type PolicyOrListEnvelope = {
    /** One, or a list. */
    data: Policy | Policy[];
};
export type PolicyOrListEnvelopeRead = {
    /** One, or a list. */
    data: PolicyRead | PolicyRead[];
};
export type PolicyPatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the policy. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the policy is for. */
    description?: string | null;
    /** Addresses, ranges and networks from which the policy counts; null or empty for any. */
    ip_access?: string[] | null | string;
    /** Whether users with the policy need two-factor authentication. */
    enforce_tfa?: boolean;
    /** Whether the policy allows everything. */
    admin_access?: boolean;
    /** Whether the policy grants the permissions that the application needs. */
    app_access?: boolean;
    /** Attachments of the policy to roles. */
    roles?: AccessRelated | null;
    /** Permissions of the policy. */
    permissions?: PermissionRelated | null;
    /** Attachments of the policy to users. */
    users?: AccessRelated | null;
    [key: string]: any;
};
export type PolicyChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: PolicyPatch;
} | PolicyPatch[];
export type PolicyGlobals = {
    /** Whether the caller may use the application. */
    app_access: boolean;
    /** Whether the caller may do everything. */
    admin_access: boolean;
    /** Whether the caller needs a second factor. */
    enforce_tfa: boolean;
};
export type PolicyGlobalsEnvelope = {
    data: PolicyGlobals;
};
export type PolicyEnvelope = {
    data: Policy;
};
export type PolicyEnvelopeRead = {
    data: PolicyRead;
};
export type AccessListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Access[];
};
export type AccessListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: AccessRead[];
};
export type PolicyPatchNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the policy. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the policy is for. */
    description?: string | null;
    /** Addresses, ranges and networks from which the policy counts; null or empty for any. */
    ip_access?: string[] | null | string;
    /** Whether users with the policy need two-factor authentication. */
    enforce_tfa?: boolean;
    /** Whether the policy allows everything. */
    admin_access?: boolean;
    /** Whether the policy grants the permissions that the application needs. */
    app_access?: boolean;
    /** Attachments of the policy to roles. */
    roles?: (any[] | {
        [key: string]: any;
    }) | null;
    /** Permissions of the policy. */
    permissions?: (any[] | {
        [key: string]: any;
    }) | null;
    /** Attachments of the policy to users. */
    users?: (any[] | {
        [key: string]: any;
    }) | null;
    [key: string]: any;
};
export type AccessInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Role that holds the policy. */
    role?: string | RolePatchNested | null;
    /** User that the policy is attached to. */
    user?: string | UserPatchNested | null;
    /** The attached policy. */
    policy: string | PolicyPatchNested;
    /** Order among the attachments of the role or user. */
    sort?: number | null;
    [key: string]: any;
};
export type AccessInputWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Role that holds the policy. */
    role?: string | RolePatchNested | null;
    /** User that the policy is attached to. */
    user?: string | UserPatchNestedWrite | null;
    /** The attached policy. */
    policy: string | PolicyPatchNested;
    /** Order among the attachments of the role or user. */
    sort?: number | null;
    [key: string]: any;
};
export type AccessOneOrSeveral = AccessInput | AccessInput[];
export type AccessOneOrSeveralWrite = AccessInputWrite | AccessInputWrite[];
export type AccessOrListEnvelope = {
    /** One, or a list. */
    data: Access | Access[];
};
export type AccessOrListEnvelopeRead = {
    /** One, or a list. */
    data: AccessRead | AccessRead[];
};
export type AccessPatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Role that holds the policy. */
    role?: string | RolePatchNested | null;
    /** User that the policy is attached to. */
    user?: string | UserPatchNested | null;
    /** The attached policy. */
    policy?: string | PolicyPatchNested;
    /** Order among the attachments of the role or user. */
    sort?: number | null;
    [key: string]: any;
};
export type AccessPatchWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Role that holds the policy. */
    role?: string | RolePatchNested | null;
    /** User that the policy is attached to. */
    user?: string | UserPatchNestedWrite | null;
    /** The attached policy. */
    policy?: string | PolicyPatchNested;
    /** Order among the attachments of the role or user. */
    sort?: number | null;
    [key: string]: any;
};
export type AccessChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: AccessPatch;
} | AccessPatch[];
export type AccessChangesWrite = {
    keys?: Keys;
    query?: OpenObject;
    data: AccessPatchWrite;
} | AccessPatchWrite[];
export type AccessEnvelope = {
    data: Access;
};
export type AccessEnvelopeRead = {
    data: AccessRead;
};
export type PermissionListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Permission[];
};
export type PermissionListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: PermissionRead[];
};
export type PermissionInput = {
    /** Policy of the permission; null for built-in rules, which belong to none. */
    policy?: string | PolicyPatchNested | null;
    /** Collection that may be reached. */
    collection: string;
    /** The permissions. */
    action: "create" | "read" | "update" | "delete" | "share";
    /** Filter of the items that may be reached; null or an empty object for all of them. */
    permissions?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Filter that written items have to meet. Conditions on related items (`author.id`, `_some`, `_none`, `count(comments)`) are checked on the item as it will be after the whole write, related items included. */
    validation?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Default values of fields of new items. */
    presets?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Fields that may be reached; `*` for all of them. */
    fields?: string[] | null | string;
    /** Role of the permission, for clients that write permissions by role; also the role that a derived rule is for. */
    role?: string | RolePatchNested | null;
    [key: string]: any;
};
export type PermissionOneOrSeveral = PermissionInput | PermissionInput[];
export type PermissionOrListEnvelope = {
    /** One, or a list. */
    data: Permission | Permission[];
};
export type PermissionOrListEnvelopeRead = {
    /** One, or a list. */
    data: PermissionRead | PermissionRead[];
};
export type PermissionPatch = {
    /** Policy of the permission; null for built-in rules, which belong to none. */
    policy?: string | PolicyPatchNested | null;
    /** Collection that may be reached. */
    collection?: string;
    /** The permissions. */
    action?: "create" | "read" | "update" | "delete" | "share";
    /** Filter of the items that may be reached; null or an empty object for all of them. */
    permissions?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Filter that written items have to meet. Conditions on related items (`author.id`, `_some`, `_none`, `count(comments)`) are checked on the item as it will be after the whole write, related items included. */
    validation?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Default values of fields of new items. */
    presets?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Fields that may be reached; `*` for all of them. */
    fields?: string[] | null | string;
    /** Role of the permission, for clients that write permissions by role; also the role that a derived rule is for. */
    role?: string | RolePatchNested | null;
    [key: string]: any;
};
export type PermissionChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: PermissionPatch;
} | PermissionPatch[];
export type ExplainedPolicy = {
    /** Id of the policy. */
    id: string;
    /** Name of the policy. */
    name: string;
    /** Whether it grants everything. */
    admin_access: boolean;
    /** Whether it grants the use of the application. */
    app_access: boolean;
    /** By what it is held. */
    through: string[];
    /** Whether it counts from the address of the request. */
    counts: boolean;
};
export type ExplainedCause = {
    /** The kind of cause. */
    code: "administrator" | "rule" | "user-suspended" | "user-inactive" | "invalid-ip" | "second-factor-demanded" | "collection-unknown" | "collection-without-table" | "field-unknown" | "item-missing" | "item-not-covered" | "field-not-covered" | "values-refused" | "comment-demanded" | "database-refuses" | "rule-ignored" | "policy-address" | "policy-not-held" | "level" | "other-action" | "no-rule" | "refused";
    /** The cause in words. */
    message: string;
    /** Id of the permission. */
    permission?: number;
    /** Id of the level of the legacy generation. */
    level?: number;
    /** Id of the policy. */
    policy?: string;
    /** Id of the role. */
    role?: string;
};
export type ExplainedRule = {
    /** Where it comes from. */
    kind: "permission" | "level" | "app";
    /** Id of the permission. */
    permission?: number;
    /** Id of the level of the legacy generation. */
    level?: number;
    /** Id of the policy. */
    policy?: string;
    /** Id of the role. */
    role?: string;
    /** The same in words. */
    name: string;
    /** Whether the rule alone grants what was asked. */
    grants: boolean;
    /** Its fields. */
    fields: string[];
    /** The items that it reaches. */
    rows: string;
    /** What it demands of values. */
    validation: string | null;
    /** Values that it adds. */
    presets: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
};
export type ExplainedAction = {
    /** The action. */
    action: "create" | "read" | "update" | "delete" | "share";
    /** Whether it is granted for what was asked. */
    granted: boolean;
    /** What grants or refuses it, the likeliest first. */
    causes: ExplainedCause[];
    /** The rules for the action, each with what it does by itself. */
    rules: ExplainedRule[];
    /** The items that the action reaches; null where it reaches none. */
    rows: {
        /** As text. */
        text: string;
        /** As SQL, for administrators. */
        sql?: string;
        /** The values of the SQL. */
        values?: any[];
    } | null;
    /** The fields that it reaches. */
    fields: {
        /** Name of the field. */
        field: string;
        /** The items on which it is reached; null = all of the action. */
        rows: string | null;
    }[];
};
export type Explanation = {
    /** The user; null for the public. */
    user: {
        /** Id of the user. */
        id: string;
        /** E-mail address of the user. */
        email: string | null;
    } | null;
    /** The role and those above it, nearest first. */
    roles: {
        /** Id of the role. */
        id: string;
        /** Name of the role. */
        name: string;
    }[];
    /** The policies that are held. */
    policies: ExplainedPolicy[];
    /** Levels of the legacy generation that the roles have for the collection, as they are stored. */
    levels: OpenObject[];
    /** The collection. */
    collection: string;
    /** Each asked action. */
    actions: ExplainedAction[];
};
export type ExplanationEnvelope = {
    data: Explanation;
};
export type OwnPermission = {
    /** All items, some, or none. */
    access: "full" | "partial" | "none";
    /** Fields that the action reaches. */
    fields?: string[];
    presets?: OpenObject;
};
export type OwnPermissions = {
    create?: OwnPermission;
    read?: OwnPermission;
    update?: OwnPermission;
    "delete"?: OwnPermission;
    share?: OwnPermission;
};
export type OwnPermissionsEnvelope = {
    /** The permissions by collection; collections without any are left out. */
    data: {
        [key: string]: OwnPermissions;
    };
};
export type ItemPermission = {
    /** Whether the action is allowed. */
    access: boolean;
    /** Fields that may change. */
    fields?: string[];
    presets?: OpenObject;
};
export type ItemPermissions = {
    update: ItemPermission;
    "delete": ItemPermission;
    share: ItemPermission;
};
export type ItemPermissionsEnvelope = {
    data: ItemPermissions;
};
export type PermissionEnvelope = {
    data: Permission;
};
export type PermissionEnvelopeRead = {
    data: PermissionRead;
};
export type FilesToDownload = {
    /** Keys of the files. */
    ids: string[];
};
export type FileListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: File[];
};
export type FileListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: FileRead[];
};
export type FolderPatchNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the folder. */
    name?: string;
    /** Folder that holds this one; null at the top. */
    parent?: string | {
        [key: string]: any;
    } | null;
    [key: string]: any;
};
export type FileInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the storage that holds the contents. */
    storage?: string;
    /** Name of the contents in the storage. */
    filename_disk: string | null;
    /** Name under which the file is downloaded. */
    filename_download?: string;
    /** Title of the file. */
    title?: string | null;
    /** Media type of the contents. */
    "type": string | null;
    /** Folder that holds the file; null at the top. */
    folder?: string | FolderPatchNested | null;
    /** Character set of text. */
    charset?: string | null;
    /** Address of embedded contents, such as a video. */
    embed?: string | null;
    /** What the file shows. */
    description?: string | null;
    /** Where a picture was taken. */
    location?: string | null;
    /** Words to find the file by. */
    tags?: string[] | null | string;
    /** Metadata from the contents (EXIF, IPTC, ICC). */
    metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Column of a picture that crops keep, in pixels from the left. */
    focal_point_x?: number | null;
    /** Row of a picture that crops keep, in pixels from the top. */
    focal_point_y?: number | null;
    [key: string]: any;
};
export type FileOrListEnvelope = {
    /** One, or a list. */
    data: File | File[];
};
export type FileOrListEnvelopeRead = {
    /** One, or a list. */
    data: FileRead | FileRead[];
};
export type FilePatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the storage that holds the contents. */
    storage?: string;
    /** Name of the contents in the storage. */
    filename_disk?: string | null;
    /** Name under which the file is downloaded. */
    filename_download?: string;
    /** Title of the file. */
    title?: string | null;
    /** Media type of the contents. */
    "type"?: string | null;
    /** Folder that holds the file; null at the top. */
    folder?: string | FolderPatchNested | null;
    /** Character set of text. */
    charset?: string | null;
    /** Address of embedded contents, such as a video. */
    embed?: string | null;
    /** What the file shows. */
    description?: string | null;
    /** Where a picture was taken. */
    location?: string | null;
    /** Words to find the file by. */
    tags?: string[] | null | string;
    /** Metadata from the contents (EXIF, IPTC, ICC). */
    metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Column of a picture that crops keep, in pixels from the left. */
    focal_point_x?: number | null;
    /** Row of a picture that crops keep, in pixels from the top. */
    focal_point_y?: number | null;
    [key: string]: any;
};
export type FileChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: FilePatch;
} | FilePatch[];
export type FileImport = {
    /** An http or https address. */
    url: string;
    data?: FilePatch;
};
export type FileEnvelope = {
    data: File;
};
export type FileEnvelopeRead = {
    data: FileRead;
};
export type FolderListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Folder[];
};
export type FolderInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the folder. */
    name: string;
    /** Folder that holds this one; null at the top. */
    parent?: string | FolderPatchNested | null;
    [key: string]: any;
};
export type FolderOneOrSeveral = FolderInput | FolderInput[];
export type FolderOrListEnvelope = {
    /** One, or a list. */
    data: Folder | Folder[];
};
export type FolderPatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the folder. */
    name?: string;
    /** Folder that holds this one; null at the top. */
    parent?: string | FolderPatchNested | null;
    [key: string]: any;
};
export type FolderChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: FolderPatch;
} | FolderPatch[];
export type FolderEnvelope = {
    data: Folder;
};
export type Preset = {
    /** Name of a bookmark; null for the standard view. */
    bookmark?: string | null;
    /** User that it is for; null for all users. */
    user?: string | User | null;
    /** Role that the preset is for; null for all. */
    role?: string | Role | null;
    /** Collection that the preset is for. */
    collection?: string | null;
    /** Text that is searched for. */
    search?: string | null;
    /** Layout of the list. */
    layout?: string | null;
    /** Query parameters by layout. */
    layout_query?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Options by layout. */
    layout_options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Seconds between reloads; null for none. */
    refresh_interval?: number | null;
    /** Filter of the items. */
    filter?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    [key: string]: any;
};
export type PresetRead = {
    /** Key; counts up. */
    id?: number;
    /** Name of a bookmark; null for the standard view. */
    bookmark?: string | null;
    /** User that it is for; null for all users. */
    user?: string | UserRead | null;
    /** Role that the preset is for; null for all. */
    role?: string | RoleRead | null;
    /** Collection that the preset is for. */
    collection?: string | null;
    /** Text that is searched for. */
    search?: string | null;
    /** Layout of the list. */
    layout?: string | null;
    /** Query parameters by layout. */
    layout_query?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Options by layout. */
    layout_options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Seconds between reloads; null for none. */
    refresh_interval?: number | null;
    /** Filter of the items. */
    filter?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    [key: string]: any;
};
export type PresetListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Preset[];
};
export type PresetListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: PresetRead[];
};
export type PresetInput = {
    /** Name of a bookmark; null for the standard view. */
    bookmark?: string | null;
    /** User that it is for; null for all users. */
    user?: string | UserPatchNested | null;
    /** Role that the preset is for; null for all. */
    role?: string | RolePatchNested | null;
    /** Collection that the preset is for. */
    collection?: string | null;
    /** Text that is searched for. */
    search?: string | null;
    /** Layout of the list. */
    layout?: string | null;
    /** Query parameters by layout. */
    layout_query?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Options by layout. */
    layout_options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Seconds between reloads; null for none. */
    refresh_interval?: number | null;
    /** Filter of the items. */
    filter?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    [key: string]: any;
};
export type PresetInputWrite = {
    /** Name of a bookmark; null for the standard view. */
    bookmark?: string | null;
    /** User that it is for; null for all users. */
    user?: string | UserPatchNestedWrite | null;
    /** Role that the preset is for; null for all. */
    role?: string | RolePatchNested | null;
    /** Collection that the preset is for. */
    collection?: string | null;
    /** Text that is searched for. */
    search?: string | null;
    /** Layout of the list. */
    layout?: string | null;
    /** Query parameters by layout. */
    layout_query?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Options by layout. */
    layout_options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Seconds between reloads; null for none. */
    refresh_interval?: number | null;
    /** Filter of the items. */
    filter?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    [key: string]: any;
};
export type PresetOneOrSeveral = PresetInput | PresetInput[];
export type PresetOneOrSeveralWrite = PresetInputWrite | PresetInputWrite[];
export type PresetOrListEnvelope = {
    /** One, or a list. */
    data: Preset | Preset[];
};
export type PresetOrListEnvelopeRead = {
    /** One, or a list. */
    data: PresetRead | PresetRead[];
};
export type PresetPatch = {
    /** Name of a bookmark; null for the standard view. */
    bookmark?: string | null;
    /** User that it is for; null for all users. */
    user?: string | UserPatchNested | null;
    /** Role that the preset is for; null for all. */
    role?: string | RolePatchNested | null;
    /** Collection that the preset is for. */
    collection?: string | null;
    /** Text that is searched for. */
    search?: string | null;
    /** Layout of the list. */
    layout?: string | null;
    /** Query parameters by layout. */
    layout_query?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Options by layout. */
    layout_options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Seconds between reloads; null for none. */
    refresh_interval?: number | null;
    /** Filter of the items. */
    filter?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    [key: string]: any;
};
export type PresetPatchWrite = {
    /** Name of a bookmark; null for the standard view. */
    bookmark?: string | null;
    /** User that it is for; null for all users. */
    user?: string | UserPatchNestedWrite | null;
    /** Role that the preset is for; null for all. */
    role?: string | RolePatchNested | null;
    /** Collection that the preset is for. */
    collection?: string | null;
    /** Text that is searched for. */
    search?: string | null;
    /** Layout of the list. */
    layout?: string | null;
    /** Query parameters by layout. */
    layout_query?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Options by layout. */
    layout_options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Seconds between reloads; null for none. */
    refresh_interval?: number | null;
    /** Filter of the items. */
    filter?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    [key: string]: any;
};
export type PresetChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: PresetPatch;
} | PresetPatch[];
export type PresetChangesWrite = {
    keys?: Keys;
    query?: OpenObject;
    data: PresetPatchWrite;
} | PresetPatchWrite[];
export type PresetEnvelope = {
    data: Preset;
};
export type PresetEnvelopeRead = {
    data: PresetRead;
};
export type Comment = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Collection of the item. */
    collection?: string;
    /** Key of the item, as text. */
    item?: string;
    /** Text of the comment; `@<user id>` mentions a user, who is notified. */
    comment?: string;
    [key: string]: any;
};
export type CommentRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Collection of the item. */
    collection?: string;
    /** Key of the item, as text. */
    item?: string;
    /** Text of the comment; `@<user id>` mentions a user, who is notified. */
    comment?: string;
    /** When it was written. */
    date_created?: string | null;
    /** When it was last changed. */
    date_updated?: string | null;
    /** User who wrote it. */
    user_created?: string | UserRead | null;
    /** User who last changed it. */
    user_updated?: string | UserRead | null;
    [key: string]: any;
};
export type CommentListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Comment[];
};
export type CommentListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: CommentRead[];
};
export type CommentInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Collection of the item. */
    collection: string;
    /** Key of the item, as text. */
    item: string;
    /** Text of the comment; `@<user id>` mentions a user, who is notified. */
    comment: string;
    [key: string]: any;
};
export type CommentOneOrSeveral = CommentInput | CommentInput[];
export type CommentOrListEnvelope = {
    /** One, or a list. */
    data: Comment | Comment[];
};
export type CommentOrListEnvelopeRead = {
    /** One, or a list. */
    data: CommentRead | CommentRead[];
};
export type CommentPatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Collection of the item. */
    collection?: string;
    /** Key of the item, as text. */
    item?: string;
    /** Text of the comment; `@<user id>` mentions a user, who is notified. */
    comment?: string;
    [key: string]: any;
};
export type CommentChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: CommentPatch;
} | CommentPatch[];
export type CommentEnvelope = {
    data: Comment;
};
export type CommentEnvelopeRead = {
    data: CommentRead;
};
export type Notification = {
    /** `inbox`, or `archived` once it was read. */
    status?: string | null;
    /** User that it is for. */
    recipient?: string | User;
    /** Subject. */
    subject?: string;
    /** Text of the message. */
    message?: string | null;
    /** Collection of the item. */
    collection?: string | null;
    /** Key of the item, as text. */
    item?: string | null;
    [key: string]: any;
};
export type NotificationRead = {
    /** Key; counts up. */
    id?: number;
    /** When it was sent. */
    timestamp?: string | null;
    /** `inbox`, or `archived` once it was read. */
    status?: string | null;
    /** User that it is for. */
    recipient?: string | UserRead;
    /** User who sent it. */
    sender?: string | UserRead | null;
    /** Subject. */
    subject?: string;
    /** Text of the message. */
    message?: string | null;
    /** Collection of the item. */
    collection?: string | null;
    /** Key of the item, as text. */
    item?: string | null;
    [key: string]: any;
};
export type NotificationListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Notification[];
};
export type NotificationListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: NotificationRead[];
};
export type NotificationInput = {
    /** `inbox`, or `archived` once it was read. */
    status?: string | null;
    /** User that it is for. */
    recipient: string | UserPatchNested;
    /** Subject. */
    subject: string;
    /** Text of the message. */
    message?: string | null;
    /** Collection of the item. */
    collection?: string | null;
    /** Key of the item, as text. */
    item?: string | null;
    [key: string]: any;
};
export type NotificationInputWrite = {
    /** `inbox`, or `archived` once it was read. */
    status?: string | null;
    /** User that it is for. */
    recipient: string | UserPatchNestedWrite;
    /** Subject. */
    subject: string;
    /** Text of the message. */
    message?: string | null;
    /** Collection of the item. */
    collection?: string | null;
    /** Key of the item, as text. */
    item?: string | null;
    [key: string]: any;
};
export type NotificationOneOrSeveral = NotificationInput | NotificationInput[];
export type NotificationOneOrSeveralWrite = NotificationInputWrite | NotificationInputWrite[];
export type NotificationOrListEnvelope = {
    /** One, or a list. */
    data: Notification | Notification[];
};
export type NotificationOrListEnvelopeRead = {
    /** One, or a list. */
    data: NotificationRead | NotificationRead[];
};
export type NotificationPatch = {
    /** `inbox`, or `archived` once it was read. */
    status?: string | null;
    /** User that it is for. */
    recipient?: string | UserPatchNested;
    /** Subject. */
    subject?: string;
    /** Text of the message. */
    message?: string | null;
    /** Collection of the item. */
    collection?: string | null;
    /** Key of the item, as text. */
    item?: string | null;
    [key: string]: any;
};
export type NotificationPatchWrite = {
    /** `inbox`, or `archived` once it was read. */
    status?: string | null;
    /** User that it is for. */
    recipient?: string | UserPatchNestedWrite;
    /** Subject. */
    subject?: string;
    /** Text of the message. */
    message?: string | null;
    /** Collection of the item. */
    collection?: string | null;
    /** Key of the item, as text. */
    item?: string | null;
    [key: string]: any;
};
export type NotificationChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: NotificationPatch;
} | NotificationPatch[];
export type NotificationChangesWrite = {
    keys?: Keys;
    query?: OpenObject;
    data: NotificationPatchWrite;
} | NotificationPatchWrite[];
export type NotificationEnvelope = {
    data: Notification;
};
export type NotificationEnvelopeRead = {
    data: NotificationRead;
};
export type Panel = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Dashboard that holds the panel. */
    dashboard?: string | Dashboard;
    /** Name of the panel. */
    name?: string | null;
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Whether name and icon are shown. */
    show_header?: boolean;
    /** What the panel shows. */
    note?: string | null;
    /** Kind of panel. */
    "type"?: string;
    /** Column of the left edge, counted from 1. */
    position_x?: number;
    /** Row of the upper edge, counted from 1. */
    position_y?: number;
    /** Width in columns. */
    width?: number;
    /** Height in rows. */
    height?: number;
    /** Options of the kind of panel. */
    options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    [key: string]: any;
};
export type PanelRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Dashboard that holds the panel. */
    dashboard?: string | Dashboard;
    /** Name of the panel. */
    name?: string | null;
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Whether name and icon are shown. */
    show_header?: boolean;
    /** What the panel shows. */
    note?: string | null;
    /** Kind of panel. */
    "type"?: string;
    /** Column of the left edge, counted from 1. */
    position_x?: number;
    /** Row of the upper edge, counted from 1. */
    position_y?: number;
    /** Width in columns. */
    width?: number;
    /** Height in rows. */
    height?: number;
    /** Options of the kind of panel. */
    options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** When it was created. */
    date_created?: string | null;
    /** User who created it. */
    user_created?: string | UserRead | null;
    [key: string]: any;
};
export type Dashboard = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the dashboard. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the dashboard shows. */
    note?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Panels of the dashboard. */
    panels?: (string | Panel)[];
    [key: string]: any;
};
export type DashboardRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the dashboard. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the dashboard shows. */
    note?: string | null;
    /** When it was created. */
    date_created?: string | null;
    /** User who created it. */
    user_created?: string | UserRead | null;
    /** Color of the icon. */
    color?: string | null;
    /** Panels of the dashboard. */
    panels?: (string | PanelRead)[];
    [key: string]: any;
};
export type DashboardListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Dashboard[];
};
export type DashboardListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: DashboardRead[];
};
export type PanelPatchNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Dashboard that holds the panel. */
    dashboard?: string | {
        [key: string]: any;
    };
    /** Name of the panel. */
    name?: string | null;
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Whether name and icon are shown. */
    show_header?: boolean;
    /** What the panel shows. */
    note?: string | null;
    /** Kind of panel. */
    "type"?: string;
    /** Column of the left edge, counted from 1. */
    position_x?: number;
    /** Row of the upper edge, counted from 1. */
    position_y?: number;
    /** Width in columns. */
    width?: number;
    /** Height in rows. */
    height?: number;
    /** Options of the kind of panel. */
    options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    [key: string]: any;
};
export type PanelInputNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Dashboard that holds the panel. */
    dashboard: string | {
        [key: string]: any;
    };
    /** Name of the panel. */
    name?: string | null;
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Whether name and icon are shown. */
    show_header?: boolean;
    /** What the panel shows. */
    note?: string | null;
    /** Kind of panel. */
    "type": string;
    /** Column of the left edge, counted from 1. */
    position_x: number;
    /** Row of the upper edge, counted from 1. */
    position_y: number;
    /** Width in columns. */
    width: number;
    /** Height in rows. */
    height: number;
    /** Options of the kind of panel. */
    options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    [key: string]: any;
};
export type PanelRelated = (string | PanelPatchNested)[] | {
    create?: PanelInputNested[];
    update?: PanelPatchNested[];
    "delete"?: string[];
};
export type DashboardInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the dashboard. */
    name: string;
    /** Name of an icon. */
    icon?: string;
    /** What the dashboard shows. */
    note?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Panels of the dashboard. */
    panels?: PanelRelated | null;
    [key: string]: any;
};
export type DashboardOneOrSeveral = DashboardInput | DashboardInput[];
export type DashboardOrListEnvelope = {
    /** One, or a list. */
    data: Dashboard | Dashboard[];
};
export type DashboardOrListEnvelopeRead = {
    /** One, or a list. */
    data: DashboardRead | DashboardRead[];
};
export type DashboardPatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the dashboard. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the dashboard shows. */
    note?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Panels of the dashboard. */
    panels?: PanelRelated | null;
    [key: string]: any;
};
export type DashboardChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: DashboardPatch;
} | DashboardPatch[];
export type DashboardEnvelope = {
    data: Dashboard;
};
export type DashboardEnvelopeRead = {
    data: DashboardRead;
};
export type PanelListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Panel[];
};
export type PanelListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: PanelRead[];
};
export type DashboardPatchNested = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the dashboard. */
    name?: string;
    /** Name of an icon. */
    icon?: string;
    /** What the dashboard shows. */
    note?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Panels of the dashboard. */
    panels?: (any[] | {
        [key: string]: any;
    }) | null;
    [key: string]: any;
};
export type PanelInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Dashboard that holds the panel. */
    dashboard: string | DashboardPatchNested;
    /** Name of the panel. */
    name?: string | null;
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Whether name and icon are shown. */
    show_header?: boolean;
    /** What the panel shows. */
    note?: string | null;
    /** Kind of panel. */
    "type": string;
    /** Column of the left edge, counted from 1. */
    position_x: number;
    /** Row of the upper edge, counted from 1. */
    position_y: number;
    /** Width in columns. */
    width: number;
    /** Height in rows. */
    height: number;
    /** Options of the kind of panel. */
    options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    [key: string]: any;
};
export type PanelOneOrSeveral = PanelInput | PanelInput[];
export type PanelOrListEnvelope = {
    /** One, or a list. */
    data: Panel | Panel[];
};
export type PanelOrListEnvelopeRead = {
    /** One, or a list. */
    data: PanelRead | PanelRead[];
};
export type PanelPatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Dashboard that holds the panel. */
    dashboard?: string | DashboardPatchNested;
    /** Name of the panel. */
    name?: string | null;
    /** Name of an icon. */
    icon?: string | null;
    /** Color of the icon. */
    color?: string | null;
    /** Whether name and icon are shown. */
    show_header?: boolean;
    /** What the panel shows. */
    note?: string | null;
    /** Kind of panel. */
    "type"?: string;
    /** Column of the left edge, counted from 1. */
    position_x?: number;
    /** Row of the upper edge, counted from 1. */
    position_y?: number;
    /** Width in columns. */
    width?: number;
    /** Height in rows. */
    height?: number;
    /** Options of the kind of panel. */
    options?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    [key: string]: any;
};
export type PanelChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: PanelPatch;
} | PanelPatch[];
export type PanelEnvelope = {
    data: Panel;
};
export type PanelEnvelopeRead = {
    data: PanelRead;
};
export type WebhookHeader = {
    /** Name of the header. */
    header: string;
    /** Its value. */
    value: string;
};
export type Webhook = {
    /** Name of the webhook. */
    name?: string;
    /** Whether changes are sent; the server turns a webhook off whose receiver answers 410. */
    status?: "active" | "inactive";
    /** Method of the requests; those with GET have no body. */
    method?: "POST" | "GET";
    /** Address of the receiver. */
    url?: string;
    /** Which changes are sent: `create`, `update` and `delete`. */
    actions?: string[];
    /** Collections whose changes are sent. */
    collections?: string[];
    /** Further headers of the requests. */
    headers?: WebhookHeader[] | null;
    /** Whether the item is sent; else its key alone. */
    data?: boolean;
    /** Form of the body: `standard` is the form of Standard Webhooks, `item` the item alone, as version 8 sent it. */
    format?: "standard" | "item";
    /** User whose permissions decide what is sent. */
    user?: string | User | null;
    /** Role whose permissions decide what is sent if there is no user. */
    role?: string | Role | null;
    /** Signs the requests: `whsec_` and 24 to 64 bytes in Base64; shown masked. */
    secret?: string | null;
    [key: string]: any;
};
export type WebhookRead = {
    /** Key; counts up. */
    id?: number;
    /** Name of the webhook. */
    name?: string;
    /** Whether changes are sent; the server turns a webhook off whose receiver answers 410. */
    status?: "active" | "inactive";
    /** Method of the requests; those with GET have no body. */
    method?: "POST" | "GET";
    /** Address of the receiver. */
    url?: string;
    /** Which changes are sent: `create`, `update` and `delete`. */
    actions?: string[];
    /** Collections whose changes are sent. */
    collections?: string[];
    /** Further headers of the requests. */
    headers?: WebhookHeader[] | null;
    /** Whether the item is sent; else its key alone. */
    data?: boolean;
    /** Form of the body: `standard` is the form of Standard Webhooks, `item` the item alone, as version 8 sent it. */
    format?: "standard" | "item";
    /** User whose permissions decide what is sent. */
    user?: string | UserRead | null;
    /** Role whose permissions decide what is sent if there is no user. */
    role?: string | RoleRead | null;
    /** Signs the requests: `whsec_` and 24 to 64 bytes in Base64; shown masked. */
    secret?: string | null;
    /** Until when the former secret signs, too. */
    previous_secret_until?: string | null;
    /** Since when deliveries have failed; null if the last one succeeded. */
    failing_since?: string | null;
    /** Why deliveries fail. */
    failure?: string | null;
    /** When it was created. */
    date_created?: string | null;
    /** When it was last changed. */
    date_updated?: string | null;
    /** User who created it. */
    user_created?: string | UserRead | null;
    [key: string]: any;
};
export type WebhookListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Webhook[];
};
export type WebhookListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: WebhookRead[];
};
export type WebhookInput = {
    /** Name of the webhook. */
    name: string;
    /** Whether changes are sent; the server turns a webhook off whose receiver answers 410. */
    status?: "active" | "inactive";
    /** Method of the requests; those with GET have no body. */
    method?: "POST" | "GET";
    /** Address of the receiver. */
    url: string;
    /** Which changes are sent: `create`, `update` and `delete`. */
    actions: string[] | string;
    /** Collections whose changes are sent. */
    collections: string[] | string;
    /** Further headers of the requests. */
    headers?: WebhookHeader[] | null;
    /** Whether the item is sent; else its key alone. */
    data?: boolean;
    /** Form of the body: `standard` is the form of Standard Webhooks, `item` the item alone, as version 8 sent it. */
    format?: "standard" | "item";
    /** User whose permissions decide what is sent. */
    user?: string | UserPatchNested | null;
    /** Role whose permissions decide what is sent if there is no user. */
    role?: string | RolePatchNested | null;
    [key: string]: any;
};
export type WebhookInputWrite = {
    /** Name of the webhook. */
    name: string;
    /** Whether changes are sent; the server turns a webhook off whose receiver answers 410. */
    status?: "active" | "inactive";
    /** Method of the requests; those with GET have no body. */
    method?: "POST" | "GET";
    /** Address of the receiver. */
    url: string;
    /** Which changes are sent: `create`, `update` and `delete`. */
    actions: string[] | string;
    /** Collections whose changes are sent. */
    collections: string[] | string;
    /** Further headers of the requests. */
    headers?: WebhookHeader[] | null;
    /** Whether the item is sent; else its key alone. */
    data?: boolean;
    /** Form of the body: `standard` is the form of Standard Webhooks, `item` the item alone, as version 8 sent it. */
    format?: "standard" | "item";
    /** User whose permissions decide what is sent. */
    user?: string | UserPatchNestedWrite | null;
    /** Role whose permissions decide what is sent if there is no user. */
    role?: string | RolePatchNested | null;
    /** Signs the requests: `whsec_` and 24 to 64 bytes in Base64; shown masked. */
    secret?: string | null;
    [key: string]: any;
};
export type WebhookOneOrSeveral = WebhookInput | WebhookInput[];
export type WebhookOneOrSeveralWrite = WebhookInputWrite | WebhookInputWrite[];
export type WebhookOrListEnvelope = {
    /** One, or a list. */
    data: Webhook | Webhook[];
};
export type WebhookOrListEnvelopeRead = {
    /** One, or a list. */
    data: WebhookRead | WebhookRead[];
};
export type WebhookPatch = {
    /** Name of the webhook. */
    name?: string;
    /** Whether changes are sent; the server turns a webhook off whose receiver answers 410. */
    status?: "active" | "inactive";
    /** Method of the requests; those with GET have no body. */
    method?: "POST" | "GET";
    /** Address of the receiver. */
    url?: string;
    /** Which changes are sent: `create`, `update` and `delete`. */
    actions?: string[] | string;
    /** Collections whose changes are sent. */
    collections?: string[] | string;
    /** Further headers of the requests. */
    headers?: WebhookHeader[] | null;
    /** Whether the item is sent; else its key alone. */
    data?: boolean;
    /** Form of the body: `standard` is the form of Standard Webhooks, `item` the item alone, as version 8 sent it. */
    format?: "standard" | "item";
    /** User whose permissions decide what is sent. */
    user?: string | UserPatchNested | null;
    /** Role whose permissions decide what is sent if there is no user. */
    role?: string | RolePatchNested | null;
    [key: string]: any;
};
export type WebhookPatchWrite = {
    /** Name of the webhook. */
    name?: string;
    /** Whether changes are sent; the server turns a webhook off whose receiver answers 410. */
    status?: "active" | "inactive";
    /** Method of the requests; those with GET have no body. */
    method?: "POST" | "GET";
    /** Address of the receiver. */
    url?: string;
    /** Which changes are sent: `create`, `update` and `delete`. */
    actions?: string[] | string;
    /** Collections whose changes are sent. */
    collections?: string[] | string;
    /** Further headers of the requests. */
    headers?: WebhookHeader[] | null;
    /** Whether the item is sent; else its key alone. */
    data?: boolean;
    /** Form of the body: `standard` is the form of Standard Webhooks, `item` the item alone, as version 8 sent it. */
    format?: "standard" | "item";
    /** User whose permissions decide what is sent. */
    user?: string | UserPatchNestedWrite | null;
    /** Role whose permissions decide what is sent if there is no user. */
    role?: string | RolePatchNested | null;
    /** Signs the requests: `whsec_` and 24 to 64 bytes in Base64; shown masked. */
    secret?: string | null;
    [key: string]: any;
};
export type WebhookChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: WebhookPatch;
} | WebhookPatch[];
export type WebhookChangesWrite = {
    keys?: Keys;
    query?: OpenObject;
    data: WebhookPatchWrite;
} | WebhookPatchWrite[];
export type WebhookEnvelope = {
    data: Webhook;
};
export type WebhookEnvelopeRead = {
    data: WebhookRead;
};
export type WebhookRotation = {
    /** Seconds for which the former secret signs, too. */
    overlap?: number;
    /** The new secret; made by the server if omitted. */
    secret?: string;
};
export type WebhookSecret = {
    /** Key of the webhook. */
    id: number;
    /** The new secret. */
    secret: string;
    /** Until when the former secret signs, too. */
    previous_secret_until: string | null;
};
export type WebhookSecretEnvelope = {
    data: WebhookSecret;
};
export type WebhookDeliveryState = "pending" | "delivered" | "dead";
export type WebhookDelivery = {
    /** Key of the delivery. */
    id: number;
    /** Key of the webhook. */
    webhook: number;
    /** Id of the event, the header `webhook-id` of every attempt. */
    event: string;
    /** Type of the event. */
    "type": string;
    /** Collection of the item. */
    collection: string;
    /** Key of the item, as text. */
    item: string;
    state: WebhookDeliveryState;
    /** Number of attempts. */
    attempts: number;
    /** Status of the last answer; null if there was none. */
    last_status: number | null;
    /** Why the last attempt failed. */
    last_error: string | null;
    /** When the delivery was made from the change. */
    created: string;
    /** Time of the last attempt. */
    last_attempt: string | null;
    /** Earliest time of the next attempt. */
    next_attempt: string | null;
};
export type WebhookDeliveryListEnvelope = {
    /** The deliveries. */
    data: WebhookDelivery[];
};
export type WebhookReplay = {
    /** Number of deliveries. */
    replayed: number;
};
export type WebhookReplayEnvelope = {
    data: WebhookReplay;
};
export type WebhookDeliveryEnvelope = {
    data: WebhookDelivery;
};
export type SyncKey = {
    /** Kind of the row. */
    table: string;
    /** Key of the row here. */
    local_id: string;
    /** Name of the row on all servers. */
    sync_id: string;
    /** When it was named. */
    created_at: string;
};
export type SyncKeyInput = {
    /** Ignored; the path says it. */
    table?: string;
    /** Key of the row here. */
    local_id: string | number;
    /** Name of the row; a new uuid without it. */
    sync_id?: string | null;
};
export type SyncKeyCreated = {
    /** Name of the row. */
    sync_id: string;
};
export type NothingEnvelope = {
    /** The entries. */
    data: {
        [key: string]: any;
    }[];
};
export type Translation = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Code of the language. */
    language?: string;
    /** Name of the text, unique in the language. */
    key?: string;
    /** The text. */
    value?: string;
    [key: string]: any;
};
export type TranslationListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Translation[];
};
export type TranslationInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Code of the language. */
    language: string;
    /** Name of the text, unique in the language. */
    key: string;
    /** The text. */
    value: string;
    [key: string]: any;
};
export type TranslationOneOrSeveral = TranslationInput | TranslationInput[];
export type TranslationOrListEnvelope = {
    /** One, or a list. */
    data: Translation | Translation[];
};
export type TranslationPatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Code of the language. */
    language?: string;
    /** Name of the text, unique in the language. */
    key?: string;
    /** The text. */
    value?: string;
    [key: string]: any;
};
export type TranslationChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: TranslationPatch;
} | TranslationPatch[];
export type TranslationEnvelope = {
    data: Translation;
};
export type Activity = {
    /** Collection of the item. */
    collection?: string;
    /** Key of the item, as text. */
    item?: string;
    /** Text of a comment; null for other actions. */
    comment?: string | null;
    [key: string]: any;
};
export type Revision = {
    [key: string]: any;
};
export type Version = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name in addresses, unique for the item; not `main`. */
    key?: string;
    /** Name to show. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection?: string;
    /** Key of the item, as text; cannot change. */
    item?: string;
    [key: string]: any;
};
export type VersionRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name in addresses, unique for the item; not `main`. */
    key?: string;
    /** Name to show. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection?: string;
    /** Key of the item, as text; cannot change. */
    item?: string;
    /** Hash of the item when the version was made, to tell whether the item has changed since. */
    hash?: string | null;
    /** When it was created. */
    date_created?: string | null;
    /** When it was last changed. */
    date_updated?: string | null;
    /** User who created it. */
    user_created?: string | UserRead | null;
    /** User who last changed it. */
    user_updated?: string | UserRead | null;
    [key: string]: any;
};
export type RevisionRead = {
    /** Key; counts up. */
    id?: number;
    /** Activity entry of the change. */
    activity?: number | ActivityRead;
    /** Collection of the item. */
    collection?: string;
    /** Key of the item, as text. */
    item?: string;
    /** The item after the change, without concealed values. */
    data?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** The fields that the change wrote. */
    delta?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Revision of the item that this one was written along with. */
    parent?: number | RevisionRead | null;
    /** Version that holds the change; null for the item itself. */
    version?: string | VersionRead | null;
    [key: string]: any;
};
export type ActivityRead = {
    /** Key; counts up. */
    id?: number;
    /** What was done: `create`, `update`, `delete`, `login`, `comment` or another action of the server. */
    action?: string;
    /** User who did it; null for the public. */
    user?: string | UserRead | null;
    /** When it was done. */
    timestamp?: string;
    /** Address that the request came from. */
    ip?: string | null;
    /** `User-Agent` of the request. */
    user_agent?: string | null;
    /** Origin of the requesting page. */
    origin?: string | null;
    /** Collection of the item. */
    collection?: string;
    /** Key of the item, as text. */
    item?: string;
    /** Text of a comment; null for other actions. */
    comment?: string | null;
    /** Revisions that the action created. */
    revisions?: (number | RevisionRead)[];
    [key: string]: any;
};
export type ActivityListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Activity[];
};
export type ActivityListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: ActivityRead[];
};
export type ActivityEnvelope = {
    data: Activity;
};
export type ActivityEnvelopeRead = {
    data: ActivityRead;
};
export type ActivityRevert = {
    /** Keys of the entries, in any order. */
    activity: number[];
};
export type ActivityCommentInput = {
    /** Collection of the item. */
    collection: string;
    /** Key of the item, as text. */
    item: string;
    /** The remark. */
    comment: string;
};
export type ActivityCommentChange = {
    /** The remark. */
    comment: string;
};
export type RevisionListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Revision[];
};
export type RevisionListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: RevisionRead[];
};
export type RevisionEnvelope = {
    data: Revision;
};
export type RevisionEnvelopeRead = {
    data: RevisionRead;
};
export type VersionListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Version[];
};
export type VersionListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: VersionRead[];
};
export type VersionInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name in addresses, unique for the item; not `main`. */
    key: string;
    /** Name to show. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection: string;
    /** Key of the item, as text; cannot change. */
    item: string;
    [key: string]: any;
};
export type VersionOneOrSeveral = VersionInput | VersionInput[];
export type VersionOrListEnvelope = {
    /** One, or a list. */
    data: Version | Version[];
};
export type VersionOrListEnvelopeRead = {
    /** One, or a list. */
    data: VersionRead | VersionRead[];
};
export type VersionPatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name in addresses, unique for the item; not `main`. */
    key?: string;
    /** Name to show. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection?: string;
    /** Key of the item, as text; cannot change. */
    item?: string;
    [key: string]: any;
};
export type VersionChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: VersionPatch;
} | VersionPatch[];
export type VersionEnvelope = {
    data: Version;
};
export type VersionEnvelopeRead = {
    data: VersionRead;
};
export type Item = {
    [key: string]: any;
};
export type ItemEnvelope = {
    data: Item;
};
export type Comparison = {
    /** Whether the item has changed since the version was made. */
    outdated: boolean;
    /** Hash of the present state of the item. */
    mainHash: string;
    current: Item;
    main: Item;
};
export type ComparisonEnvelope = {
    data: Comparison;
};
export type PromotionInput = {
    /** Hash of the item from the comparison. */
    mainHash: string;
    /** Fields to promote; by default all saved fields. */
    fields?: string[];
};
export type TextEnvelope = {
    /** The text. */
    data: string;
};
export type Share = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the share. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection?: string;
    /** Key of the item, as text; cannot change. */
    item?: string;
    /** Role whose permissions apply to the visitor; null for those of the creator. */
    role?: string | Role | null;
    /** Password that the link asks for; stored as a hash and shown masked, null for none. */
    password?: string | null;
    /** When the link begins to work; null for at once. */
    date_start?: string | null;
    /** When the link stops working; null for never. */
    date_end?: string | null;
    /** How often the link may be used; null for any number. */
    max_uses?: number | null;
    [key: string]: any;
};
export type ShareRead = {
    /** Key; generated by the server if omitted. */
    id?: string;
    /** Name of the share. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection?: string;
    /** Key of the item, as text; cannot change. */
    item?: string;
    /** Role whose permissions apply to the visitor; null for those of the creator. */
    role?: string | RoleRead | null;
    /** Password that the link asks for; stored as a hash and shown masked, null for none. */
    password?: string | null;
    /** User who created it. */
    user_created?: string | UserRead | null;
    /** When it was created. */
    date_created?: string | null;
    /** When the link begins to work; null for at once. */
    date_start?: string | null;
    /** When the link stops working; null for never. */
    date_end?: string | null;
    /** How often the link was used. */
    times_used?: number;
    /** How often the link may be used; null for any number. */
    max_uses?: number | null;
    [key: string]: any;
};
export type ShareListEnvelope = {
    meta?: Counts;
    /** The list. */
    data: Share[];
};
export type ShareListEnvelopeRead = {
    meta?: Counts;
    /** The list. */
    data: ShareRead[];
};
export type ShareInput = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the share. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection: string;
    /** Key of the item, as text; cannot change. */
    item: string;
    /** Role whose permissions apply to the visitor; null for those of the creator. */
    role?: string | RolePatchNested | null;
    /** When the link begins to work; null for at once. */
    date_start?: string | null;
    /** When the link stops working; null for never. */
    date_end?: string | null;
    /** How often the link may be used; null for any number. */
    max_uses?: number | null;
    [key: string]: any;
};
export type ShareInputWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the share. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection: string;
    /** Key of the item, as text; cannot change. */
    item: string;
    /** Role whose permissions apply to the visitor; null for those of the creator. */
    role?: string | RolePatchNested | null;
    /** Password that the link asks for; stored as a hash and shown masked, null for none. */
    password?: string | null;
    /** When the link begins to work; null for at once. */
    date_start?: string | null;
    /** When the link stops working; null for never. */
    date_end?: string | null;
    /** How often the link may be used; null for any number. */
    max_uses?: number | null;
    [key: string]: any;
};
export type ShareOneOrSeveral = ShareInput | ShareInput[];
export type ShareOneOrSeveralWrite = ShareInputWrite | ShareInputWrite[];
export type ShareOrListEnvelope = {
    /** One, or a list. */
    data: Share | Share[];
};
export type ShareOrListEnvelopeRead = {
    /** One, or a list. */
    data: ShareRead | ShareRead[];
};
export type SharePatch = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the share. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection?: string;
    /** Key of the item, as text; cannot change. */
    item?: string;
    /** Role whose permissions apply to the visitor; null for those of the creator. */
    role?: string | RolePatchNested | null;
    /** When the link begins to work; null for at once. */
    date_start?: string | null;
    /** When the link stops working; null for never. */
    date_end?: string | null;
    /** How often the link may be used; null for any number. */
    max_uses?: number | null;
    [key: string]: any;
};
export type SharePatchWrite = {
    /** Key; generated by the server if omitted. */
    id?: string | null;
    /** Name of the share. */
    name?: string | null;
    /** Collection of the item; cannot change. */
    collection?: string;
    /** Key of the item, as text; cannot change. */
    item?: string;
    /** Role whose permissions apply to the visitor; null for those of the creator. */
    role?: string | RolePatchNested | null;
    /** Password that the link asks for; stored as a hash and shown masked, null for none. */
    password?: string | null;
    /** When the link begins to work; null for at once. */
    date_start?: string | null;
    /** When the link stops working; null for never. */
    date_end?: string | null;
    /** How often the link may be used; null for any number. */
    max_uses?: number | null;
    [key: string]: any;
};
export type ShareChanges = {
    keys?: Keys;
    query?: OpenObject;
    data: SharePatch;
} | SharePatch[];
export type ShareChangesWrite = {
    keys?: Keys;
    query?: OpenObject;
    data: SharePatchWrite;
} | SharePatchWrite[];
export type ShareLoginInput = {
    /** Key of the share, from its link. */
    share: string;
    /** Password of the share, if it has one. */
    password?: string;
    mode?: LoginMode;
};
export type ShareInviteInput = {
    /** Key of the share. */
    share: string;
    /** Addresses that get the link. */
    emails: string[];
};
export type ShareInfo = {
    /** Key of the share. */
    id: string;
    /** Collection of the item. */
    collection: string;
    /** Key of the item, as text. */
    item: string;
    /** Asterisks if the share has a password; null otherwise. */
    password: string | null;
    /** How often the link may be used; null for any number. */
    max_uses: number | null;
    /** How often the link was used. */
    times_used: number;
    /** When the link starts to work; null for immediately. */
    date_start: string | null;
    /** When the link stops working; null for never. */
    date_end: string | null;
};
export type ShareInfoEnvelope = {
    data: ShareInfo;
};
export type ShareEnvelope = {
    data: Share;
};
export type ShareEnvelopeRead = {
    data: ShareRead;
};
export type Settings = {
    /** Name of the project. */
    project_name?: string;
    /** Short description of the project. */
    project_descriptor?: string | null;
    /** Address of the site of the project. */
    project_url?: string | null;
    /** Color of the project. */
    project_color?: string;
    /** Logo of the project. */
    project_logo?: string | File | null;
    /** Picture on the pages before the login. */
    public_foreground?: string | File | null;
    /** Picture behind the pages before the login. */
    public_background?: string | File | null;
    /** Icon of the pages. */
    public_favicon?: string | File | null;
    /** Note on the pages before the login. */
    public_note?: string | null;
    /** Default language of the application. */
    default_language?: string;
    /** Default appearance of the application: `auto`, `light` or `dark`. */
    default_appearance?: string;
    /** Default light theme. */
    default_theme_light?: string | null;
    /** Default dark theme. */
    default_theme_dark?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Failed logins in a row that suspend a user; null for any number. */
    auth_login_attempts?: number | null;
    /** Regular expression that passwords have to match; null for any password. */
    auth_password_policy?: string | null;
    /** Allowed transformations of images: `all`, `presets` only, or `none`. */
    storage_asset_transform?: ("all" | "none" | "presets" | null) | ("all" | "none" | "presets" | null);
    /** Named transformations of pictures. */
    storage_asset_presets?: any[] | null;
    /** Default folder of uploads. */
    storage_default_folder?: string | Folder | null;
    /** Style sheet that the application adds. */
    custom_css?: string | null;
    /** Maps that the application offers. */
    basemaps?: any[] | null;
    /** Modules of the application, in order. */
    module_bar?: any[] | null;
    /** Aspect ratios that the picture editor offers. */
    custom_aspect_ratios?: any[] | null;
    /** Token for maps by Mapbox. */
    mapbox_key?: string | null;
    /** Page to report errors at. */
    report_error_url?: string | null;
    /** Page to report bugs at. */
    report_bug_url?: string | null;
    /** Page to ask for features at. */
    report_feature_url?: string | null;
    /** Whether anybody may register. */
    public_registration?: boolean;
    /** Whether a registration has to be confirmed by mail. */
    public_registration_verify_email?: boolean;
    /** Role of registered users. */
    public_registration_role?: string | Role | null;
    /** Filter that addresses of registrations have to meet. */
    public_registration_email_filter?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** How contents are called in storage: `uuid`, or `file_name` like the file that was sent. */
    file_naming?: "uuid" | "file_name";
    /** Part of the file that URLs of the legacy generation contain. */
    asset_url_naming?: "private_hash" | "filename_download";
    /** Media types that files may have; null for all that the server takes. */
    file_mimetype_whitelist?: string[] | null;
    [key: string]: any;
};
export type SettingsRead = {
    /** Key; counts up. */
    id?: number;
    /** Name of the project. */
    project_name?: string;
    /** Short description of the project. */
    project_descriptor?: string | null;
    /** Address of the site of the project. */
    project_url?: string | null;
    /** Color of the project. */
    project_color?: string;
    /** Logo of the project. */
    project_logo?: string | FileRead | null;
    /** Picture on the pages before the login. */
    public_foreground?: string | FileRead | null;
    /** Picture behind the pages before the login. */
    public_background?: string | FileRead | null;
    /** Icon of the pages. */
    public_favicon?: string | FileRead | null;
    /** Note on the pages before the login. */
    public_note?: string | null;
    /** Default language of the application. */
    default_language?: string;
    /** Default appearance of the application: `auto`, `light` or `dark`. */
    default_appearance?: string;
    /** Default light theme. */
    default_theme_light?: string | null;
    /** Default dark theme. */
    default_theme_dark?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Failed logins in a row that suspend a user; null for any number. */
    auth_login_attempts?: number | null;
    /** Regular expression that passwords have to match; null for any password. */
    auth_password_policy?: string | null;
    /** Allowed transformations of images: `all`, `presets` only, or `none`. */
    storage_asset_transform?: ("all" | "none" | "presets" | null) | ("all" | "none" | "presets" | null);
    /** Named transformations of pictures. */
    storage_asset_presets?: any[] | null;
    /** Default folder of uploads. */
    storage_default_folder?: string | Folder | null;
    /** Style sheet that the application adds. */
    custom_css?: string | null;
    /** Maps that the application offers. */
    basemaps?: any[] | null;
    /** Modules of the application, in order. */
    module_bar?: any[] | null;
    /** Aspect ratios that the picture editor offers. */
    custom_aspect_ratios?: any[] | null;
    /** Token for maps by Mapbox. */
    mapbox_key?: string | null;
    /** Page to report errors at. */
    report_error_url?: string | null;
    /** Page to report bugs at. */
    report_bug_url?: string | null;
    /** Page to ask for features at. */
    report_feature_url?: string | null;
    /** Whether anybody may register. */
    public_registration?: boolean;
    /** Whether a registration has to be confirmed by mail. */
    public_registration_verify_email?: boolean;
    /** Role of registered users. */
    public_registration_role?: string | RoleRead | null;
    /** Filter that addresses of registrations have to meet. */
    public_registration_email_filter?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** How contents are called in storage: `uuid`, or `file_name` like the file that was sent. */
    file_naming?: "uuid" | "file_name";
    /** Part of the file that URLs of the legacy generation contain. */
    asset_url_naming?: "private_hash" | "filename_download";
    /** Media types that files may have; null for all that the server takes. */
    file_mimetype_whitelist?: string[] | null;
    [key: string]: any;
};
export type SettingsEnvelope = {
    data: Settings;
};
export type SettingsEnvelopeRead = {
    data: SettingsRead;
};
export type SettingsPatch = {
    /** Name of the project. */
    project_name?: string;
    /** Short description of the project. */
    project_descriptor?: string | null;
    /** Address of the site of the project. */
    project_url?: string | null;
    /** Color of the project. */
    project_color?: string;
    /** Logo of the project. */
    project_logo?: string | FilePatchNested | null;
    /** Picture on the pages before the login. */
    public_foreground?: string | FilePatchNested | null;
    /** Picture behind the pages before the login. */
    public_background?: string | FilePatchNested | null;
    /** Icon of the pages. */
    public_favicon?: string | FilePatchNested | null;
    /** Note on the pages before the login. */
    public_note?: string | null;
    /** Default language of the application. */
    default_language?: string;
    /** Default appearance of the application: `auto`, `light` or `dark`. */
    default_appearance?: string;
    /** Default light theme. */
    default_theme_light?: string | null;
    /** Default dark theme. */
    default_theme_dark?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Failed logins in a row that suspend a user; null for any number. */
    auth_login_attempts?: number | null;
    /** Regular expression that passwords have to match; null for any password. */
    auth_password_policy?: string | null;
    /** Allowed transformations of images: `all`, `presets` only, or `none`. */
    storage_asset_transform?: ("all" | "none" | "presets" | null) | ("all" | "none" | "presets" | null);
    /** Named transformations of pictures. */
    storage_asset_presets?: any[] | null;
    /** Default folder of uploads. */
    storage_default_folder?: string | FolderPatchNested | null;
    /** Style sheet that the application adds. */
    custom_css?: string | null;
    /** Maps that the application offers. */
    basemaps?: any[] | null;
    /** Modules of the application, in order. */
    module_bar?: any[] | null;
    /** Aspect ratios that the picture editor offers. */
    custom_aspect_ratios?: any[] | null;
    /** Token for maps by Mapbox. */
    mapbox_key?: string | null;
    /** Page to report errors at. */
    report_error_url?: string | null;
    /** Page to report bugs at. */
    report_bug_url?: string | null;
    /** Page to ask for features at. */
    report_feature_url?: string | null;
    /** Whether anybody may register. */
    public_registration?: boolean;
    /** Whether a registration has to be confirmed by mail. */
    public_registration_verify_email?: boolean;
    /** Role of registered users. */
    public_registration_role?: string | RolePatchNested | null;
    /** Filter that addresses of registrations have to meet. */
    public_registration_email_filter?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** How contents are called in storage: `uuid`, or `file_name` like the file that was sent. */
    file_naming?: "uuid" | "file_name";
    /** Part of the file that URLs of the legacy generation contain. */
    asset_url_naming?: "private_hash" | "filename_download";
    /** Media types that files may have; null for all that the server takes. */
    file_mimetype_whitelist?: string[] | null | string;
    [key: string]: any;
};
export type HashInput = {
    /** The text. */
    "string": string;
};
export type HashMatchInput = {
    /** The text. */
    "string": string;
    /** The hash, as `/utils/hash/generate` gives it. */
    hash: string;
};
export type MatchEnvelope = {
    /** Whether the text has that hash. */
    data: boolean;
};
export type ImportBatchEntry = {
    /** Name of the collection. */
    collection: string;
    /** The rows. */
    items: OpenObject[];
};
export type ImportBatch = ImportBatchEntry[];
export type ImportedCollection = {
    /** Keys of updated rows. */
    existing: Key[];
    /** Keys of new rows. */
    "new": Key[];
    /** Keys of deleted rows. */
    deleted: Key[];
    /** The key here by the key in the batch. */
    mapped: {
        [key: string]: Key;
    };
};
export type ImportBatchResult = {
    /** False after a dry run. */
    applied: boolean;
    /** The mode of the import. */
    mode: "add" | "merge";
    /** The keys by collection. */
    collections: {
        [key: string]: ImportedCollection;
    };
};
export type ImportBatchEnvelope = {
    data: ImportBatchResult;
};
export type ImportInput = {
    /** CSV or JSON, by its media type or its name. */
    file: Blob;
    [key: string]: any;
};
export type ExportInput = {
    query: OpenObject;
    /** Format of the file. */
    format: "csv" | "json" | "xml" | "yaml";
    file?: FilePatch;
};
export type SortInput = {
    item: Key;
    to: Key;
};
export type ScimUrns = string[];
export type ScimMeta = {
    /** User, Group, or the type of another resource. */
    resourceType?: string;
    /** Address of the resource. */
    location?: string;
    /** Changes whenever the shown attributes do. */
    version?: string;
};
export type ScimName = {
    /** Last name of the author. */
    familyName?: string | null;
    /** First name of the author. */
    givenName?: string | null;
    [key: string]: any;
} | {
    [key: string]: any;
};
export type ScimEmail = {
    /** The address itself. */
    value?: string | null;
    /** Kind of the address; the server returns work. */
    "type"?: string | null;
    /** Whether mails go to this address. */
    primary?: boolean | string | null;
    [key: string]: any;
};
export type ScimReference = {
    /** The `id` of the resource. */
    value?: string;
    /** Name of the resource for people. */
    display?: string;
    [key: string]: any;
};
export type ScimUser = {
    schemas: ScimUrns;
    /** The `externalId` of the user; for users without one, an id that stays valid when they get one. */
    id: string;
    /** The user's id at the identity provider, as it was given. */
    externalId?: string;
    meta?: ScimMeta;
    /** Address of the user, unique in lower case. */
    userName?: string;
    name?: ScimName;
    /** First and last name of the author, or the address. */
    displayName?: string;
    /** The address as a list with one entry. */
    emails?: ScimEmail[];
    /** What the author is at the company. */
    title?: string;
    /** Language of the user. */
    locale?: string;
    /** Time zone of the user. */
    timezone?: string;
    /** Whether the user can log in. */
    active?: boolean;
    /** The role of the user as a list with one entry; changed through the group. */
    groups?: ScimReference[];
};
export type ScimUserList = {
    schemas: ScimUrns;
    /** Number of all users that match. */
    totalResults: number;
    /** Place of the first user of the page. */
    startIndex?: number;
    /** Number of users on the page. */
    itemsPerPage?: number;
    /** The users of the page. */
    Resources: ScimUser[];
};
export type ScimErrorBody = {
    schemas: ScimUrns;
    /** The HTTP status as a text. */
    status: string;
    /** Kind of the error, where SCIM names one. */
    scimType?: "invalidFilter" | "invalidPath" | "invalidSyntax" | "invalidValue" | "mutability" | "noTarget" | "uniqueness";
    /** What is wrong, for people. */
    detail: string;
};
export type ScimUserInput = {
    schemas?: ScimUrns;
    /** The user's id at the identity provider; set once. */
    externalId?: string | null;
    /** Address of the user. */
    userName: string;
    name?: ScimName;
    /** Addresses; the primary one is used where `userName` is no address. */
    emails?: ScimEmail[] | null;
    /** What the author is at the company. */
    title?: string | null;
    /** Language of the user. */
    locale?: string | null;
    /** Time zone of the user. */
    timezone?: string | null;
    /** Whether the user can log in; also as a text. */
    active?: boolean | string;
    [key: string]: any;
};
export type ScimOperation = {
    /** One of add, replace and remove, in any case. */
    op: string;
    /** Attribute to change, such as `name.givenName` or a filter on `emails`; without it, `value` is an object of attributes. */
    path?: string | null;
    /** New value, value to add, or value to remove. */
    value?: any;
    [key: string]: any;
};
export type ScimOperations = ScimOperation[];
export type ScimUserChanges = {
    Operations?: ScimOperations;
    /** The user's id at the identity provider; set once. */
    externalId?: string | null;
    /** New address of the user. */
    userName?: string;
    [key: string]: any;
};
export type ScimGroup = {
    schemas: ScimUrns;
    /** The `externalId` of the role; for roles without one, an id that stays valid when they get one. */
    id: string;
    /** The group's id at the identity provider, as it was given. */
    externalId?: string;
    meta?: ScimMeta;
    /** Name of the role. */
    displayName?: string;
    /** The users with the role. */
    members?: ScimReference[];
};
export type ScimGroupList = {
    schemas: ScimUrns;
    /** Number of all groups that match. */
    totalResults: number;
    /** Place of the first group of the page. */
    startIndex?: number;
    /** Number of groups on the page. */
    itemsPerPage?: number;
    /** The groups of the page. */
    Resources: ScimGroup[];
};
export type ScimMemberInput = {
    /** The `id` of the user, or its address. */
    value?: string;
    [key: string]: any;
};
export type ScimGroupInput = {
    schemas?: ScimUrns;
    /** Taken for `externalId` where a new group has none. */
    id?: string | null;
    /** The group's id at the identity provider; set once. */
    externalId?: string | null;
    /** Name of the role. */
    displayName: string;
    /** All members of the group. */
    members?: ScimMemberInput[] | null;
    [key: string]: any;
};
export type ScimGroupChanges = {
    Operations?: ScimOperations;
    /** New name of the role. */
    displayName?: string;
    /** All members that the group shall have. */
    members?: ScimMemberInput[] | null;
    [key: string]: any;
};
export type ScimDocument = {
    [key: string]: any;
};
export type ScimDocumentList = {
    schemas: ScimUrns;
    /** Number of the descriptions. */
    totalResults: number;
    /** Always 1. */
    startIndex?: number;
    /** Number of the descriptions. */
    itemsPerPage?: number;
    /** The descriptions. */
    Resources: ScimDocument[];
};
export type PublicSettings = {
    /** Name of the project. */
    project_name: string;
    /** What the project is. */
    project_descriptor?: string | null;
    /** Key of the file with the logo. */
    project_logo?: string | null;
    /** Color of the project. */
    project_color?: string;
    /** Default colors of the application. */
    default_appearance?: string;
    /** Default light theme. */
    default_theme_light?: string | null;
    /** Default dark theme. */
    default_theme_dark?: string | null;
    /** Changes of the light theme. */
    theme_light_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Changes of the dark theme. */
    theme_dark_overrides?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Default language of the application. */
    default_language?: string;
    /** Key of the file in front of public pages. */
    public_foreground?: string | null;
    /** Key of the file behind public pages. */
    public_background?: string | null;
    /** Key of the file with the icon of public pages. */
    public_favicon?: string | null;
    /** Text on public pages. */
    public_note?: string | null;
    /** Style sheet that the application adds. */
    custom_css?: string | null;
    /** Whether anybody may register. */
    public_registration?: boolean;
    /** Whether a registration has to be confirmed by mail. */
    public_registration_verify_email?: boolean;
};
export type QueryLimit = {
    /** Items of a read that names no limit. */
    "default": number;
    /** Items of a read at most. */
    max: number;
};
export type RateLimit = boolean | {
    /** Requests. */
    points?: number;
    /** Seconds. */
    duration?: number;
};
export type SocketDoor = {
    /** By messages (`handshake`), by the request that opens the connection (`strict`), or perhaps not at all (`public`). */
    authentication: "public" | "handshake" | "strict";
    /** Path of the connections. */
    path: string;
};
export type SocketFacts = false | {
    /** The messages of items and subscriptions; false where there are none. */
    rest: false | SocketDoor;
    /** GraphQL with subscriptions, by the protocol `graphql-transport-ws`; false where there is none. */
    graphql: false | SocketDoor;
    /** Seconds within which a client must say something; false = it need not. */
    heartbeat: number | boolean;
};
export type UploadFacts = {
    /** Bytes. */
    chunkSize: number;
};
export type ServerInfo = {
    project: PublicSettings;
    /** Whether the first administrator exists; if not, create one with `/server/setup`. */
    setupCompleted: boolean;
    queryLimit?: QueryLimit;
    rateLimit?: RateLimit;
    rateLimitGlobal?: RateLimit;
    websocket?: SocketFacts;
    uploads?: UploadFacts;
    /** Version of the platform whose API the server has (`COMPATIBLE_VERSION`), which tools of that platform check; for administrators. */
    version?: string;
    /** Version of the server; for administrators. */
    tandem?: string;
};
export type ServerInfoEnvelope = {
    data: ServerInfo;
};
export type FirstAdministrator = {
    /** Address for the login; unique without regard to case. */
    email: string;
    /** Password; obeys the policy of the project. */
    password: string;
    /** First name. */
    first_name?: string | null;
    /** Last name. */
    last_name?: string | null;
};
export type ServerReadiness = {
    /** `ok`, `warn` where it is slow, or `error`. */
    status: "ok" | "warn" | "error";
};
export type ServerCheck = {
    /** `ok`, `warn` if it took longer than the threshold, or `error`. */
    status: "ok" | "warn" | "error";
    /** Kind of the checked component. */
    componentType: string;
    /** Duration of the check. */
    observedValue: number;
    /** Unit of the value. */
    observedUnit: string;
    /** Threshold above which the check is slow, in the same unit. */
    threshold: number;
    /** Reason of the failure. */
    output?: string;
};
export type ServerHealth = {
    /** `ok`, `warn` where something is slow, or `error`. */
    status: "ok" | "warn" | "error";
    /** Version of the server; for administrators. */
    releaseId?: string;
    /** Identity of the process; for administrators. */
    serviceId?: string;
    /** The checks by name; only for administrators. */
    checks?: {
        [key: string]: ServerCheck[];
    };
};
export type GraphqlText = string;
export type ItemPeople = {
    id?: string;
    name?: string;
    mood?: ("glad" | "sad" | null) | ("glad" | "sad" | null);
    born?: string | null;
    since?: string;
    /** HH:MM:SS, with an offset where the column has a zone. */
    woken?: string | null;
    /** Date and time without zone. */
    moment?: string | null;
    /** A number; `Infinity`, `-Infinity` and `NaN` are text. */
    score?: number | string | null;
    /** An exact decimal number. */
    worth?: string | null;
    /** An integer of up to 64 bits. */
    big?: string | null;
    small?: number | null;
    flag?: boolean | null;
    words?: any[] | null;
    numbers?: any[];
    facts?: any;
    plain?: any;
    address?: string | null;
    span?: string | null;
    /** Base64. */
    bytes?: string | null;
    place?: string | null;
    /** Items of books: keys, or objects when their fields are asked for. */
    books?: (number | ItemBooks)[];
    [key: string]: any;
};
export type ItemPeopleRead = {
    id?: string;
    name?: string;
    mood?: ("glad" | "sad" | null) | ("glad" | "sad" | null);
    born?: string | null;
    since?: string;
    /** HH:MM:SS, with an offset where the column has a zone. */
    woken?: string | null;
    /** Date and time without zone. */
    moment?: string | null;
    /** A number; `Infinity`, `-Infinity` and `NaN` are text. */
    score?: number | string | null;
    /** An exact decimal number. */
    worth?: string | null;
    /** An integer of up to 64 bits. */
    big?: string | null;
    small?: number | null;
    flag?: boolean | null;
    words?: any[] | null;
    numbers?: any[];
    facts?: any;
    plain?: any;
    address?: string | null;
    span?: string | null;
    /** Base64. */
    bytes?: string | null;
    place?: string | null;
    twice?: number | null;
    /** Items of books: keys, or objects when their fields are asked for. */
    books?: (number | ItemBooks)[];
    [key: string]: any;
};
export type ItemBooks = {
    id?: number;
    title?: string;
    /** Key of people, or the item itself. */
    author?: string | ItemPeople | null;
    /** Key of books, or the item itself. */
    sequel?: number | ItemBooks | null;
    /** Key of platform_files, or the item itself. */
    cover?: string | File | null;
    [key: string]: any;
};
export type ItemBooksRead = {
    id?: number;
    title?: string;
    /** Key of people, or the item itself. */
    author?: string | ItemPeopleRead | null;
    /** Key of books, or the item itself. */
    sequel?: number | ItemBooksRead | null;
    /** Key of platform_files, or the item itself. */
    cover?: string | FileRead | null;
    [key: string]: any;
};
export type NewItemBooks = {
    id?: number;
    title: string;
    /** Key of people, or the item itself. */
    author?: string | ItemPeople | null;
    /** Key of books, or the item itself. */
    sequel?: number | ItemBooks | null;
    /** Key of platform_files, or the item itself. */
    cover?: string | File | null;
    [key: string]: any;
};
export type NewItemBooksRead = {
    id?: number;
    title: string;
    /** Key of people, or the item itself. */
    author?: string | ItemPeopleRead | null;
    /** Key of books, or the item itself. */
    sequel?: number | ItemBooksRead | null;
    /** Key of platform_files, or the item itself. */
    cover?: string | FileRead | null;
    [key: string]: any;
};
export type ItemInputBooks = NewItemBooks | NewItemBooks[];
export type ItemInputBooksRead = NewItemBooksRead | NewItemBooksRead[];
export type ItemOrListBooks = ItemBooks | ItemBooks[];
export type ItemOrListBooksRead = ItemBooksRead | ItemBooksRead[];
export type ItemOrListEnvelopeBooks = {
    meta?: Counts;
    data: ItemOrListBooks;
};
export type ItemOrListEnvelopeBooksRead = {
    meta?: Counts;
    data: ItemOrListBooksRead;
};
export type ItemEnvelopeBooks = {
    data: ItemBooks;
};
export type ItemEnvelopeBooksRead = {
    data: ItemBooksRead;
};
export type ItemNotes = {
    words?: string | null;
    [key: string]: any;
};
export type NewItemNotes = {
    words?: string | null;
    [key: string]: any;
};
export type ItemInputNotes = NewItemNotes | NewItemNotes[];
export type ItemOrListNotes = ItemNotes | ItemNotes[];
export type ItemOrListEnvelopeNotes = {
    meta?: Counts;
    data: ItemOrListNotes;
};
export type ItemEnvelopeNotes = {
    data: ItemNotes;
};
export type ItemOdd20Name = {
    "a.b"?: number;
    "c d"?: string | null;
    [key: string]: any;
};
export type NewItemOdd20Name = {
    "a.b": number;
    "c d"?: string | null;
    [key: string]: any;
};
export type ItemInputOdd20Name = NewItemOdd20Name | NewItemOdd20Name[];
export type ItemOrListOdd20Name = ItemOdd20Name | ItemOdd20Name[];
export type ItemOrListEnvelopeOdd20Name = {
    meta?: Counts;
    data: ItemOrListOdd20Name;
};
export type ItemEnvelopeOdd20Name = {
    data: ItemOdd20Name;
};
export type NewItemPeople = {
    id?: string;
    name: string;
    mood?: ("glad" | "sad" | null) | ("glad" | "sad" | null);
    born?: string | null;
    since?: string;
    /** HH:MM:SS, with an offset where the column has a zone. */
    woken?: string | null;
    /** Date and time without zone. */
    moment?: string | null;
    /** A number; `Infinity`, `-Infinity` and `NaN` are text. */
    score?: number | string | null;
    /** An exact decimal number. */
    worth?: string | null;
    /** An integer of up to 64 bits. */
    big?: string | null;
    small?: number | null;
    flag?: boolean | null;
    words?: any[] | null;
    numbers: any[];
    facts?: any;
    plain?: any;
    address?: string | null;
    span?: string | null;
    /** Base64. */
    bytes?: string | null;
    place?: string | null;
    /** Items of books: keys, or objects when their fields are asked for. */
    books?: (number | ItemBooks)[];
    [key: string]: any;
};
export type NewItemPeopleRead = {
    id?: string;
    name: string;
    mood?: ("glad" | "sad" | null) | ("glad" | "sad" | null);
    born?: string | null;
    since?: string;
    /** HH:MM:SS, with an offset where the column has a zone. */
    woken?: string | null;
    /** Date and time without zone. */
    moment?: string | null;
    /** A number; `Infinity`, `-Infinity` and `NaN` are text. */
    score?: number | string | null;
    /** An exact decimal number. */
    worth?: string | null;
    /** An integer of up to 64 bits. */
    big?: string | null;
    small?: number | null;
    flag?: boolean | null;
    words?: any[] | null;
    numbers: any[];
    facts?: any;
    plain?: any;
    address?: string | null;
    span?: string | null;
    /** Base64. */
    bytes?: string | null;
    place?: string | null;
    /** Items of books: keys, or objects when their fields are asked for. */
    books?: (number | ItemBooksRead)[];
    [key: string]: any;
};
export type ItemInputPeople = NewItemPeople | NewItemPeople[];
export type ItemInputPeopleRead = NewItemPeopleRead | NewItemPeopleRead[];
export type ItemOrListPeople = ItemPeople | ItemPeople[];
export type ItemOrListPeopleRead = ItemPeopleRead | ItemPeopleRead[];
export type ItemOrListEnvelopePeople = {
    meta?: Counts;
    data: ItemOrListPeople;
};
export type ItemOrListEnvelopePeopleRead = {
    meta?: Counts;
    data: ItemOrListPeopleRead;
};
export type ItemEnvelopePeople = {
    data: ItemPeople;
};
export type ItemEnvelopePeopleRead = {
    data: ItemPeopleRead;
};
export type ItemPeopleBooks = {
    /** Key of people, or the item itself. */
    person?: string | ItemPeople;
    /** Key of books, or the item itself. */
    book?: number | ItemBooks;
    [key: string]: any;
};
export type ItemPeopleBooksRead = {
    /** Key of people, or the item itself. */
    person?: string | ItemPeopleRead;
    /** Key of books, or the item itself. */
    book?: number | ItemBooksRead;
    [key: string]: any;
};
export type NewItemPeopleBooks = {
    /** Key of people, or the item itself. */
    person: string | ItemPeople;
    /** Key of books, or the item itself. */
    book: number | ItemBooks;
    [key: string]: any;
};
export type NewItemPeopleBooksRead = {
    /** Key of people, or the item itself. */
    person: string | ItemPeopleRead;
    /** Key of books, or the item itself. */
    book: number | ItemBooksRead;
    [key: string]: any;
};
export type ItemInputPeopleBooks = NewItemPeopleBooks | NewItemPeopleBooks[];
export type ItemInputPeopleBooksRead = NewItemPeopleBooksRead | NewItemPeopleBooksRead[];
export type ItemOrListPeopleBooks = ItemPeopleBooks | ItemPeopleBooks[];
export type ItemOrListPeopleBooksRead = ItemPeopleBooksRead | ItemPeopleBooksRead[];
export type ItemOrListEnvelopePeopleBooks = {
    meta?: Counts;
    data: ItemOrListPeopleBooks;
};
export type ItemOrListEnvelopePeopleBooksRead = {
    meta?: Counts;
    data: ItemOrListPeopleBooksRead;
};
export type ItemEnvelopePeopleBooks = {
    data: ItemPeopleBooks;
};
export type ItemEnvelopePeopleBooksRead = {
    data: ItemPeopleBooksRead;
};
export type ItemTitles = {
    id?: number | null;
    title?: string | null;
    [key: string]: any;
};
export type NewItemTitles = {
    id?: number | null;
    title?: string | null;
    [key: string]: any;
};
export type ItemInputTitles = NewItemTitles | NewItemTitles[];
export type ItemOrListTitles = ItemTitles | ItemTitles[];
export type ItemOrListEnvelopeTitles = {
    meta?: Counts;
    data: ItemOrListTitles;
};
export type ItemEnvelopeTitles = {
    data: ItemTitles;
};
/**
 * Run several writes in one transaction
 */
export function runBatch(batchInput: BatchInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: BatchEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/batch", oazapfts.json({
        ...opts,
        method: "POST",
        body: batchInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Run a message of the Model Context Protocol
 */
export function runMcp(mcpMessage: McpMessage, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: McpMessage;
    } | {
        status: 202;
    } | {
        status: 400;
        data: OpenObject;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: OpenObject;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/mcp", oazapfts.json({
        ...opts,
        method: "POST",
        body: mcpMessage
    }));
}
/**
 * Run a GraphQL query by GET
 */
export function runGraphqlQuery({ query, variables, operationName, documentId, extensions }: {
    query?: string;
    variables?: string;
    operationName?: string;
    documentId?: string;
    extensions?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: GraphqlAnswer;
    } | {
        status: 400;
        data: OpenObject;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 405;
        data: GraphqlAnswer;
    } | {
        status: 406;
        data: GraphqlAnswer;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/graphql${QS.query(QS.explode({
        query,
        variables,
        operationName,
        documentId,
        extensions
    }))}`, {
        ...opts
    });
}
/**
 * Run a GraphQL query or mutation
 */
export function runGraphql(graphqlRequest: GraphqlRequest, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: GraphqlAnswer;
    } | {
        status: 400;
        data: OpenObject;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 406;
        data: GraphqlAnswer;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/graphql", oazapfts.json({
        ...opts,
        method: "POST",
        body: graphqlRequest,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Run a system GraphQL query by GET
 */
export function runSystemGraphqlQuery({ query, variables, operationName, documentId, extensions }: {
    query?: string;
    variables?: string;
    operationName?: string;
    documentId?: string;
    extensions?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: GraphqlAnswer;
    } | {
        status: 400;
        data: OpenObject;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 405;
        data: GraphqlAnswer;
    } | {
        status: 406;
        data: GraphqlAnswer;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/graphql/system${QS.query(QS.explode({
        query,
        variables,
        operationName,
        documentId,
        extensions
    }))}`, {
        ...opts
    });
}
/**
 * Run a system GraphQL query or mutation
 */
export function runSystemGraphql(graphqlRequest: GraphqlRequest, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: GraphqlAnswer;
    } | {
        status: 400;
        data: OpenObject;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 406;
        data: GraphqlAnswer;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/graphql/system", oazapfts.json({
        ...opts,
        method: "POST",
        body: graphqlRequest,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List the ways to log in
 */
export function readProviders({ sessionOnly }: {
    sessionOnly?: "" | "true" | "false";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ProvidersEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/auth${QS.query(QS.explode({
        sessionOnly
    }))}`, {
        ...opts
    });
}
/**
 * Log in with email and password
 */
export function login(loginInput: LoginInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SessionEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/auth/login", oazapfts.json({
        ...opts,
        method: "POST",
        body: loginInput
    }));
}
/**
 * Log in on the page of a provider
 */
export function beginProviderLogin(provider: string, { project, redirect, mode, otp, prompt }: {
    project?: string;
    redirect?: string;
    mode?: LoginMode;
    otp?: string;
    prompt?: "" | "true" | "none" | "login" | "consent" | "select_account";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 302;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}${QS.query(QS.explode({
        project,
        redirect,
        mode,
        otp,
        prompt
    }))}`, {
        ...opts
    });
}
/**
 * Log in with a password of a provider
 */
export function loginByProvider(provider: string, providerLoginInput: ProviderLoginInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SessionEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: providerLoginInput
    }));
}
/**
 * Log in with the answer of a provider
 */
export function finishProviderLogin(provider: string, state: string, { code, iss, error }: {
    code?: string;
    iss?: string;
    error?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SessionEnvelope;
    } | {
        status: 302;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}/callback${QS.query(QS.explode({
        state,
        code,
        iss,
        error
    }))}`, {
        ...opts
    });
}
/**
 * Log in with a form of a provider
 */
export function finishProviderLoginByForm(provider: string, providerFormInput: ProviderFormInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SessionEnvelope;
    } | {
        status: 302;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}/callback`, oazapfts.form({
        ...opts,
        method: "POST",
        body: providerFormInput
    }));
}
/**
 * Log in with an answer of SAML
 */
export function finishSamlLogin(provider: string, samlAnswerInput: SamlAnswerInput, { project }: {
    project?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SessionEnvelope;
    } | {
        status: 302;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}/acs${QS.query(QS.explode({
        project
    }))}`, oazapfts.form({
        ...opts,
        method: "POST",
        body: samlAnswerInput
    }));
}
/**
 * Log out here and at a SAML provider
 */
export function beginSamlLogout(provider: string, providerLogoutInput: ProviderLogoutInput, { project }: {
    project?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 302;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}/logout${QS.query(QS.explode({
        project
    }))}`, oazapfts.form({
        ...opts,
        method: "POST",
        body: providerLogoutInput
    }));
}
/**
 * Log out with a message of SAML
 */
export function finishSamlLogout(provider: string, { project, samlRequest, samlResponse, relayState, sigAlg, signature }: {
    project?: string;
    samlRequest?: string;
    samlResponse?: string;
    relayState?: string;
    sigAlg?: string;
    signature?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 302;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}/slo${QS.query(QS.explode({
        project,
        SAMLRequest: samlRequest,
        SAMLResponse: samlResponse,
        RelayState: relayState,
        SigAlg: sigAlg,
        Signature: signature
    }))}`, {
        ...opts
    });
}
/**
 * Log out with a form of SAML
 */
export function finishSamlLogoutByForm(provider: string, samlLogoutInput: SamlLogoutInput, { project }: {
    project?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 302;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}/slo${QS.query(QS.explode({
        project
    }))}`, oazapfts.form({
        ...opts,
        method: "POST",
        body: samlLogoutInput
    }));
}
/**
 * Read the SAML metadata of this server
 */
export function readProviderMetadata(provider: string, { project }: {
    project?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}/metadata${QS.query(QS.explode({
        project
    }))}`, {
        ...opts
    });
}
/**
 * Log out with a token of a provider
 */
export function finishProviderLogout(provider: string, logoutTokenInput: LogoutTokenInput, { project }: {
    project?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/auth/login/${encodeURIComponent(provider)}/backchannel-logout${QS.query(QS.explode({
        project
    }))}`, oazapfts.form({
        ...opts,
        method: "POST",
        body: logoutTokenInput
    }));
}
/**
 * Exchange a refresh token for new tokens
 */
export function refreshSession(refreshInput?: RefreshInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SessionEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/auth/refresh", oazapfts.json({
        ...opts,
        method: "POST",
        body: refreshInput
    }));
}
/**
 * Log out
 */
export function logout(refreshInput?: RefreshInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/auth/logout", oazapfts.json({
        ...opts,
        method: "POST",
        body: refreshInput
    }));
}
/**
 * Request a password reset
 */
export function requestPasswordReset(passwordRequestInput: PasswordRequestInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/auth/password/request", oazapfts.json({
        ...opts,
        method: "POST",
        body: passwordRequestInput
    }));
}
/**
 * Reset a password with a mailed token
 */
export function resetPassword(passwordByTokenInput: PasswordByTokenInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/auth/password/reset", oazapfts.json({
        ...opts,
        method: "POST",
        body: passwordByTokenInput
    }));
}
/**
 * List users
 */
export function readUsers({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UserListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/users${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create users
 */
export function createUsers(userOneOrSeveral: UserOneOrSeveralWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UserOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/users${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: userOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several users
 */
export function updateUsers(userChanges: UserChangesWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UserListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/users${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: userChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several users
 */
export function deleteUsers(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/users", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read the current user
 */
export function readMe({ fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UserEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/users/me${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update the current user
 */
export function updateMe(userPatch: UserPatchWrite, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UserEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/users/me${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: userPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List collections
 */
export function readCollections(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CollectionListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/collections", {
        ...opts
    });
}
/**
 * Create one collection or several
 */
export function createCollections(collectionsInput: CollectionsInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CollectionOrListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/collections", oazapfts.json({
        ...opts,
        method: "POST",
        body: collectionsInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several collections
 */
export function updateCollections(collectionChanges: CollectionChanges, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CollectionListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/collections", oazapfts.json({
        ...opts,
        method: "PATCH",
        body: collectionChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several collections
 */
export function deleteCollections(collectionNames: CollectionNames, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/collections", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: collectionNames,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read one collection
 */
export function readCollection(collection: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CollectionEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/collections/${encodeURIComponent(collection)}`, {
        ...opts
    });
}
/**
 * Update one collection
 */
export function updateCollection(collection: string, collectionChange: CollectionChange, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CollectionEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/collections/${encodeURIComponent(collection)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: collectionChange,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete one collection
 */
export function deleteCollection(collection: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/collections/${encodeURIComponent(collection)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List the fields of all collections
 */
export function readFields(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FieldListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/fields", {
        ...opts
    });
}
/**
 * List the fields of a collection
 */
export function readCollectionFields(collection: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FieldListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/fields/${encodeURIComponent(collection)}`, {
        ...opts
    });
}
/**
 * Create one field or several
 */
export function createFields(collection: string, fieldsInput: FieldsInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FieldOrListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/fields/${encodeURIComponent(collection)}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: fieldsInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several fields
 */
export function updateFields(collection: string, fieldChanges: FieldChanges, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FieldListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/fields/${encodeURIComponent(collection)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: fieldChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several fields
 */
export function deleteFields(collection: string, fieldNames: FieldNames, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/fields/${encodeURIComponent(collection)}`, oazapfts.json({
        ...opts,
        method: "DELETE",
        body: fieldNames,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read one field
 */
export function readField(collection: string, field: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FieldEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/fields/${encodeURIComponent(collection)}/${encodeURIComponent(field)}`, {
        ...opts
    });
}
/**
 * Update one field
 */
export function updateField(collection: string, field: string, fieldChange: FieldChange, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FieldEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/fields/${encodeURIComponent(collection)}/${encodeURIComponent(field)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: fieldChange,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete one field
 */
export function deleteField(collection: string, field: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/fields/${encodeURIComponent(collection)}/${encodeURIComponent(field)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List relations
 */
export function readRelations(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RelationListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/relations", {
        ...opts
    });
}
/**
 * Create a relation
 */
export function createRelation(relationInput: RelationInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RelationEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/relations", oazapfts.json({
        ...opts,
        method: "POST",
        body: relationInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List the relations of a collection
 */
export function readCollectionRelations(collection: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RelationListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/relations/${encodeURIComponent(collection)}`, {
        ...opts
    });
}
/**
 * Read one relation
 */
export function readRelation(collection: string, field: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RelationEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/relations/${encodeURIComponent(collection)}/${encodeURIComponent(field)}`, {
        ...opts
    });
}
/**
 * Update one relation
 */
export function updateRelation(collection: string, field: string, relationChange: RelationChange, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RelationEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/relations/${encodeURIComponent(collection)}/${encodeURIComponent(field)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: relationChange,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete one relation
 */
export function deleteRelation(collection: string, field: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/relations/${encodeURIComponent(collection)}/${encodeURIComponent(field)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Read a snapshot of the data model
 */
export function readSchemaSnapshot({ $export, includeCollections, excludeCollections }: {
    $export?: "csv" | "json" | "xml" | "yaml";
    includeCollections?: SnapshotScope;
    excludeCollections?: SnapshotScope;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SchemaSnapshotAnswer;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/schema/snapshot${QS.query(QS.explode({
        "export": $export,
        includeCollections,
        excludeCollections
    }))}`, {
        ...opts
    });
}
/**
 * Compare a snapshot with the data model
 */
export function diffSchema(givenSnapshot: GivenSnapshot, { force }: {
    force?: (true | false | "" | "true" | "false" | "1" | "0") | (true | false | "" | "true" | "false" | "1" | "0");
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SchemaDiffEnvelope;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/schema/diff${QS.query(QS.explode({
        force
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: givenSnapshot
    }));
}
/**
 * Apply differences to the data model
 */
export function applySchema(schemaDiff: SchemaDiff, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/schema/apply", oazapfts.json({
        ...opts,
        method: "POST",
        body: schemaDiff
    }));
}
/**
 * Read the configuration of the project
 */
export function readConfiguration(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/configuration", {
        ...opts
    });
}
/**
 * Compare a configuration with the project
 */
export function compareConfiguration(configurationPlanInput: ConfigurationPlanInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ConfigurationPlanEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/configuration/plan", oazapfts.json({
        ...opts,
        method: "POST",
        body: configurationPlanInput
    }));
}
/**
 * Apply a configuration to the project
 */
export function applyConfiguration(configurationInput: ConfigurationInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/configuration/apply", oazapfts.json({
        ...opts,
        method: "POST",
        body: configurationInput
    }));
}
/**
 * Read which clients use what
 */
export function readUsage({ client, generation, operation, limit }: {
    client?: string;
    generation?: Generation;
    operation?: string;
    limit?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UsageEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/usage${QS.query(QS.explode({
        client,
        generation,
        operation,
        limit
    }))}`, {
        ...opts
    });
}
/**
 * Save the current user's last page
 */
export function trackPage(pageInput: PageInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/users/me/track/page", oazapfts.json({
        ...opts,
        method: "PATCH",
        body: pageInput
    }));
}
/**
 * Invite users by mail
 */
export function inviteUsers(inviteInput: InviteInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/users/invite", oazapfts.json({
        ...opts,
        method: "POST",
        body: inviteInput
    }));
}
/**
 * Accept an invitation
 */
export function acceptInvite(passwordByTokenInput: PasswordByTokenInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/users/invite/accept", oazapfts.json({
        ...opts,
        method: "POST",
        body: passwordByTokenInput
    }));
}
/**
 * Register a new user
 */
export function createRegistration(registerInput: RegisterInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/users/register", oazapfts.json({
        ...opts,
        method: "POST",
        body: registerInput
    }));
}
/**
 * Confirm the email of a registration
 */
export function runEmailVerification(token: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 302;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/users/register/verify-email${QS.query(QS.explode({
        token
    }))}`, {
        ...opts
    });
}
/**
 * Generate a two-factor secret
 */
export function createTfaSecret(tfaGenerateInput: TfaGenerateInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SecondFactorEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/users/me/tfa/generate", oazapfts.json({
        ...opts,
        method: "POST",
        body: tfaGenerateInput
    }));
}
/**
 * Enable two-factor authentication
 */
export function enableTfa(tfaEnableInput: TfaEnableInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/users/me/tfa/enable", oazapfts.json({
        ...opts,
        method: "POST",
        body: tfaEnableInput
    }));
}
/**
 * Disable two-factor authentication
 */
export function disableTfa(tfaDisableInput: TfaDisableInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/users/me/tfa/disable", oazapfts.json({
        ...opts,
        method: "POST",
        body: tfaDisableInput
    }));
}
/**
 * Disable two-factor authentication of a user
 */
export function disableUserTfa(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/users/${encodeURIComponent(id)}/tfa/disable`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Read a user
 */
export function readUser(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UserEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/users/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a user
 */
export function updateUser(id: string, userPatch: UserPatchWrite, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: UserEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/users/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: userPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a user
 */
export function deleteUser(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/users/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Read API keys
 */
export function readKeys({ user }: {
    user?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ApiKeysEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/keys${QS.query(QS.explode({
        user
    }))}`, {
        ...opts
    });
}
/**
 * Create an API key
 */
export function createKey(apiKeyInput: ApiKeyInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: NewApiKeyEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/keys", oazapfts.json({
        ...opts,
        method: "POST",
        body: apiKeyInput
    }));
}
/**
 * Update an API key
 */
export function updateKey(id: string, apiKeyChanges: ApiKeyChanges, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ApiKeyEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/keys/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: apiKeyChanges
    }));
}
/**
 * Delete an API key
 */
export function deleteKey(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/keys/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * List roles
 */
export function readRoles({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RoleListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/roles${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create roles
 */
export function createRoles(roleOneOrSeveral: RoleOneOrSeveralWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RoleOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/roles${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: roleOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several roles
 */
export function updateRoles(roleChanges: RoleChangesWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RoleListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/roles${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: roleChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several roles
 */
export function deleteRoles(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/roles", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List the caller's roles
 */
export function readMyRoles({ fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RoleListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/roles/me${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Read a role
 */
export function readRole(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RoleEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/roles/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a role
 */
export function updateRole(id: string, rolePatch: RolePatchWrite, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RoleEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/roles/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: rolePatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a role
 */
export function deleteRole(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/roles/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List policies
 */
export function readPolicies({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PolicyListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/policies${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create policies
 */
export function createPolicies(policyOneOrSeveral: PolicyOneOrSeveral, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PolicyOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/policies${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: policyOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several policies
 */
export function updatePolicies(policyChanges: PolicyChanges, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PolicyListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/policies${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: policyChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several policies
 */
export function deletePolicies(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/policies", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read the caller's policy flags
 */
export function readPolicyGlobals(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PolicyGlobalsEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/policies/me/globals", {
        ...opts
    });
}
/**
 * Read a policy
 */
export function readPolicy(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PolicyEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/policies/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a policy
 */
export function updatePolicy(id: string, policyPatch: PolicyPatch, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PolicyEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/policies/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: policyPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a policy
 */
export function deletePolicy(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/policies/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List attachments of policies
 */
export function readAccesses({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: AccessListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/access${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create attachments of policies
 */
export function createAccesses(accessOneOrSeveral: AccessOneOrSeveralWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: AccessOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/access${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: accessOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several attachments of policies
 */
export function updateAccesses(accessChanges: AccessChangesWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: AccessListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/access${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: accessChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several attachments of policies
 */
export function deleteAccesses(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/access", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read an attachment of a policy
 */
export function readAccess(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: AccessEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/access/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update an attachment of a policy
 */
export function updateAccess(id: string, accessPatch: AccessPatchWrite, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: AccessEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/access/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: accessPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete an attachment of a policy
 */
export function deleteAccess(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/access/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List permissions
 */
export function readPermissions({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PermissionListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/permissions${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create permissions
 */
export function createPermissions(permissionOneOrSeveral: PermissionOneOrSeveral, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PermissionOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/permissions${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: permissionOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several permissions
 */
export function updatePermissions(permissionChanges: PermissionChanges, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PermissionListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/permissions${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: permissionChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several permissions
 */
export function deletePermissions(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/permissions", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Explain permissions
 */
export function explainPermissions(collection: string, { user, action, item, field, values, ip }: {
    user?: string;
    action?: "create" | "read" | "update" | "delete" | "share";
    item?: string;
    field?: string;
    values?: string;
    ip?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ExplanationEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/permissions/explain${QS.query(QS.explode({
        user,
        collection,
        action,
        item,
        field,
        values,
        ip
    }))}`, {
        ...opts
    });
}
/**
 * Read the caller's permissions
 */
export function readMyPermissions(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: OwnPermissionsEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/permissions/me", {
        ...opts
    });
}
/**
 * Read the caller's permissions for a singleton
 */
export function readCollectionPermissions(collection: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemPermissionsEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/permissions/me/${encodeURIComponent(collection)}`, {
        ...opts
    });
}
/**
 * Read the caller's permissions for an item
 */
export function readItemPermissions(collection: string, id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemPermissionsEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/permissions/me/${encodeURIComponent(collection)}/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Read a permission
 */
export function readPermission(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PermissionEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/permissions/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a permission
 */
export function updatePermission(id: string, permissionPatch: PermissionPatch, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PermissionEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/permissions/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: permissionPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a permission
 */
export function deletePermission(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/permissions/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Download several files as a ZIP archive
 */
export function downloadFilesZip(filesToDownload: FilesToDownload, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/assets/files", oazapfts.json({
        ...opts,
        method: "POST",
        body: filesToDownload
    }));
}
/**
 * Download a folder as a ZIP archive
 */
export function downloadFolderZip(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/assets/folder/${encodeURIComponent(id)}`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Download a file, optionally transformed
 */
export function readAsset(id: string, { download, key, fit, width, height, quality, withoutEnlargement, format, animated, focalPointX, focalPointY, transforms }: {
    download?: string;
    key?: string;
    fit?: "cover" | "contain" | "inside" | "outside";
    width?: number;
    height?: number;
    quality?: number;
    withoutEnlargement?: "" | "true" | "false" | "1" | "0";
    format?: "auto" | "jpg" | "jpeg" | "png" | "webp" | "tiff" | "avif";
    animated?: "" | "true" | "false" | "1" | "0";
    focalPointX?: number;
    focalPointY?: number;
    transforms?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 206;
        data: string;
    } | {
        status: 304;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 416;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/assets/${encodeURIComponent(id)}${QS.query(QS.explode({
        download,
        key,
        fit,
        width,
        height,
        quality,
        withoutEnlargement,
        format,
        animated,
        focal_point_x: focalPointX,
        focal_point_y: focalPointY,
        transforms
    }))}`, {
        ...opts
    });
}
/**
 * Download a file under a name
 */
export function readNamedAsset(id: string, filename: string, { download, key, fit, width, height, quality, withoutEnlargement, format, animated, focalPointX, focalPointY, transforms }: {
    download?: string;
    key?: string;
    fit?: "cover" | "contain" | "inside" | "outside";
    width?: number;
    height?: number;
    quality?: number;
    withoutEnlargement?: "" | "true" | "false" | "1" | "0";
    format?: "auto" | "jpg" | "jpeg" | "png" | "webp" | "tiff" | "avif";
    animated?: "" | "true" | "false" | "1" | "0";
    focalPointX?: number;
    focalPointY?: number;
    transforms?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 206;
        data: string;
    } | {
        status: 304;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 416;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/assets/${encodeURIComponent(id)}/${encodeURIComponent(filename)}${QS.query(QS.explode({
        download,
        key,
        fit,
        width,
        height,
        quality,
        withoutEnlargement,
        format,
        animated,
        focal_point_x: focalPointX,
        focal_point_y: focalPointY,
        transforms
    }))}`, {
        ...opts
    });
}
/**
 * List files
 */
export function readFiles({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FileListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/files${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Upload files, or register a stored one
 */
export function createFiles(fileInput: FileInput, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FileOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/files${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: fileInput
    }));
}
/**
 * Update several files
 */
export function updateFiles(fileChanges: FileChanges, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FileListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/files${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: fileChanges
    }));
}
/**
 * Delete several files
 */
export function deleteFiles(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/files", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Import a file from a URL
 */
export function importFile(fileImport: FileImport, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FileEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/files/import${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: fileImport
    }));
}
/**
 * Read the supported upload protocol
 */
export function readUploadOptions(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/files/tus", {
        ...opts,
        method: "OPTIONS"
    });
}
/**
 * Create a resumable upload
 */
export function createUpload(body?: Blob, { tusResumable, uploadLength, uploadDeferLength, uploadMetadata, uploadChecksum }: {
    tusResumable?: string;
    uploadLength?: string;
    uploadDeferLength?: string;
    uploadMetadata?: string;
    uploadChecksum?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 460;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/files/tus", {
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Tus-Resumable": tusResumable,
            "Upload-Length": uploadLength,
            "Upload-Defer-Length": uploadDeferLength,
            "Upload-Metadata": uploadMetadata,
            "Upload-Checksum": uploadChecksum
        })
    });
}
/**
 * Read the progress of an upload
 */
export function readUpload(upload: string, { tusResumable }: {
    tusResumable?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/files/tus/${encodeURIComponent(upload)}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Tus-Resumable": tusResumable
        })
    });
}
/**
 * Continue an upload
 */
export function updateUpload(upload: string, body?: Blob, { tusResumable, uploadOffset, uploadLength, uploadChecksum }: {
    tusResumable?: string;
    uploadOffset?: string;
    uploadLength?: string;
    uploadChecksum?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 409;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 460;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/files/tus/${encodeURIComponent(upload)}`, {
        ...opts,
        method: "PATCH",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Tus-Resumable": tusResumable,
            "Upload-Offset": uploadOffset,
            "Upload-Length": uploadLength,
            "Upload-Checksum": uploadChecksum
        })
    });
}
/**
 * Cancel an upload
 */
export function deleteUpload(upload: string, { tusResumable }: {
    tusResumable?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/files/tus/${encodeURIComponent(upload)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Tus-Resumable": tusResumable
        })
    });
}
/**
 * Read a file
 */
export function readFile(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FileEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/files/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a file, or replace its contents
 */
export function updateFile(id: string, filePatch: FilePatch, { fields, deep, alias, ifMatch }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FileEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/files/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: filePatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch
        })
    }));
}
/**
 * Delete a file
 */
export function deleteFile(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/files/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List folders
 */
export function readFolders({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FolderListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/folders${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create folders
 */
export function createFolders(folderOneOrSeveral: FolderOneOrSeveral, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FolderOrListEnvelope;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/folders${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: folderOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several folders
 */
export function updateFolders(folderChanges: FolderChanges, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FolderListEnvelope;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/folders${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: folderChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several folders
 */
export function deleteFolders(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/folders", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read a folder
 */
export function readFolder(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FolderEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/folders/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a folder
 */
export function updateFolder(id: string, folderPatch: FolderPatch, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: FolderEnvelope;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/folders/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: folderPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a folder
 */
export function deleteFolder(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/folders/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List presets
 */
export function readPresets({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PresetListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/presets${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create presets
 */
export function createPresets(presetOneOrSeveral: PresetOneOrSeveralWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PresetOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/presets${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: presetOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several presets
 */
export function updatePresets(presetChanges: PresetChangesWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PresetListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/presets${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: presetChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several presets
 */
export function deletePresets(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/presets", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read a preset
 */
export function readPreset(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PresetEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/presets/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a preset
 */
export function updatePreset(id: string, presetPatch: PresetPatchWrite, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PresetEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/presets/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: presetPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a preset
 */
export function deletePreset(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/presets/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List comments
 */
export function readComments({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CommentListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/comments${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create comments
 */
export function createComments(commentOneOrSeveral: CommentOneOrSeveral, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CommentOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/comments${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: commentOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several comments
 */
export function updateComments(commentChanges: CommentChanges, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CommentListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/comments${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: commentChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several comments
 */
export function deleteComments(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/comments", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read a comment
 */
export function readComment(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CommentEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/comments/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a comment
 */
export function updateComment(id: string, commentPatch: CommentPatch, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: CommentEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/comments/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: commentPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a comment
 */
export function deleteComment(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/comments/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List notifications
 */
export function readNotifications({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: NotificationListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/notifications${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create notifications
 */
export function createNotifications(notificationOneOrSeveral: NotificationOneOrSeveralWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: NotificationOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/notifications${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: notificationOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several notifications
 */
export function updateNotifications(notificationChanges: NotificationChangesWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: NotificationListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/notifications${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: notificationChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several notifications
 */
export function deleteNotifications(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/notifications", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read a notification
 */
export function readNotification(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: NotificationEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/notifications/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a notification
 */
export function updateNotification(id: string, notificationPatch: NotificationPatchWrite, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: NotificationEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/notifications/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: notificationPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a notification
 */
export function deleteNotification(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/notifications/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List dashboards
 */
export function readDashboards({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: DashboardListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/dashboards${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create dashboards
 */
export function createDashboards(dashboardOneOrSeveral: DashboardOneOrSeveral, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: DashboardOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/dashboards${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: dashboardOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several dashboards
 */
export function updateDashboards(dashboardChanges: DashboardChanges, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: DashboardListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/dashboards${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: dashboardChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several dashboards
 */
export function deleteDashboards(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/dashboards", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read a dashboard
 */
export function readDashboard(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: DashboardEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/dashboards/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a dashboard
 */
export function updateDashboard(id: string, dashboardPatch: DashboardPatch, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: DashboardEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/dashboards/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: dashboardPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a dashboard
 */
export function deleteDashboard(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/dashboards/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List panels
 */
export function readPanels({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PanelListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/panels${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create panels
 */
export function createPanels(panelOneOrSeveral: PanelOneOrSeveral, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PanelOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/panels${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: panelOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several panels
 */
export function updatePanels(panelChanges: PanelChanges, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PanelListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/panels${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: panelChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several panels
 */
export function deletePanels(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/panels", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read a panel
 */
export function readPanel(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PanelEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/panels/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a panel
 */
export function updatePanel(id: string, panelPatch: PanelPatch, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: PanelEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/panels/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: panelPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a panel
 */
export function deletePanel(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/panels/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List webhooks
 */
export function readWebhooks({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: WebhookListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/webhooks${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create webhooks
 */
export function createWebhooks(webhookOneOrSeveral: WebhookOneOrSeveralWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: WebhookOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/webhooks${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: webhookOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several webhooks
 */
export function updateWebhooks(webhookChanges: WebhookChangesWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: WebhookListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/webhooks${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: webhookChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several webhooks
 */
export function deleteWebhooks(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/webhooks", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read a webhook
 */
export function readWebhook(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: WebhookEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/webhooks/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a webhook
 */
export function updateWebhook(id: string, webhookPatch: WebhookPatchWrite, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: WebhookEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/webhooks/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: webhookPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a webhook
 */
export function deleteWebhook(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/webhooks/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Replace the secret of a webhook
 */
export function rotateWebhookSecret(id: string, webhookRotation: WebhookRotation, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: WebhookSecretEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/webhooks/${encodeURIComponent(id)}/rotate-secret`, oazapfts.json({
        ...opts,
        method: "POST",
        body: webhookRotation
    }));
}
/**
 * List deliveries of a webhook
 */
export function readWebhookDeliveries(id: string, { state, limit, offset }: {
    state?: WebhookDeliveryState;
    limit?: number;
    offset?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: WebhookDeliveryListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/webhooks/${encodeURIComponent(id)}/deliveries${QS.query(QS.explode({
        state,
        limit,
        offset
    }))}`, {
        ...opts
    });
}
/**
 * Replay dead letters of a webhook
 */
export function replayWebhook(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: WebhookReplayEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/webhooks/${encodeURIComponent(id)}/replay`, {
        ...opts,
        method: "POST"
    });
}
/**
 * Replay a delivery
 */
export function replayWebhookDelivery(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: WebhookDeliveryEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/webhooks/deliveries/${encodeURIComponent(id)}/replay`, {
        ...opts,
        method: "POST"
    });
}
/**
 * List names of rows
 */
export function readSyncKeys(table: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SyncKey[];
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/directus-extension-sync/table/${encodeURIComponent(table)}`, {
        ...opts
    });
}
/**
 * Create the name of a row
 */
export function createSyncKey(table: string, syncKeyInput: SyncKeyInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SyncKeyCreated;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/directus-extension-sync/table/${encodeURIComponent(table)}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: syncKeyInput
    }));
}
/**
 * Read the name of a row
 */
export function readSyncKey(table: string, side: "local_id" | "sync_id", id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SyncKey;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/directus-extension-sync/table/${encodeURIComponent(table)}/${encodeURIComponent(side)}/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Delete the name of a row
 */
export function deleteSyncKey(table: string, side: "local_id" | "sync_id", id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/directus-extension-sync/table/${encodeURIComponent(table)}/${encodeURIComponent(side)}/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE"
    });
}
/**
 * List flows
 */
export function readFlows(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: NothingEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/flows", {
        ...opts
    });
}
/**
 * List operations of flows
 */
export function readOperations(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: NothingEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/operations", {
        ...opts
    });
}
/**
 * List extensions of applications
 */
export function readExtensions(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: NothingEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/extensions", {
        ...opts
    });
}
/**
 * List translations
 */
export function readTranslations({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TranslationListEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/translations${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create translations
 */
export function createTranslations(translationOneOrSeveral: TranslationOneOrSeveral, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TranslationOrListEnvelope;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/translations${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: translationOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several translations
 */
export function updateTranslations(translationChanges: TranslationChanges, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TranslationListEnvelope;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/translations${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: translationChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several translations
 */
export function deleteTranslations(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/translations", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read a translation
 */
export function readTranslation(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TranslationEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/translations/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a translation
 */
export function updateTranslation(id: string, translationPatch: TranslationPatch, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TranslationEnvelope;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/translations/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: translationPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a translation
 */
export function deleteTranslation(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/translations/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List entries of the activity log
 */
export function readActivities({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ActivityListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/activity${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Read an entry of the activity log
 */
export function readActivity(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ActivityEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/activity/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Revert recorded changes
 */
export function revertActivity(activityRevert: ActivityRevert, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/activity/revert", oazapfts.json({
        ...opts,
        method: "POST",
        body: activityRevert,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Create a comment in the activity log
 */
export function createActivityComment(activityCommentInput: ActivityCommentInput, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ActivityEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/activity/comment${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: activityCommentInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update a comment in the activity log
 */
export function updateActivityComment(id: string, activityCommentChange: ActivityCommentChange, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ActivityEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/activity/comment/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: activityCommentChange,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a comment of the activity log
 */
export function deleteActivityComment(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/activity/comment/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List revisions
 */
export function readRevisions({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RevisionListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/revisions${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Read a revision
 */
export function readRevision(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: RevisionEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/revisions/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * List versions
 */
export function readVersions({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: VersionListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/versions${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create versions
 */
export function createVersions(versionOneOrSeveral: VersionOneOrSeveral, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: VersionOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/versions${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: versionOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several versions
 */
export function updateVersions(versionChanges: VersionChanges, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: VersionListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/versions${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: versionChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several versions
 */
export function deleteVersions(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/versions", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read a version
 */
export function readVersion(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: VersionEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/versions/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a version
 */
export function updateVersion(id: string, versionPatch: VersionPatch, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: VersionEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/versions/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: versionPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a version
 */
export function deleteVersion(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/versions/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Save changes into a version
 */
export function saveVersion(id: string, item: Item, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/versions/${encodeURIComponent(id)}/save${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: item,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Compare a version with its item
 */
export function compareVersion(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ComparisonEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/versions/${encodeURIComponent(id)}/compare`, {
        ...opts
    });
}
/**
 * Promote a version
 */
export function promoteVersion(id: string, promotionInput: PromotionInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TextEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/versions/${encodeURIComponent(id)}/promote`, oazapfts.json({
        ...opts,
        method: "POST",
        body: promotionInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * List shares
 */
export function readShares({ fields, filter, search, sort, limit, offset, page, aggregate, groupBy, deep, alias, meta, $export }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ShareListEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/shares${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export
    }))}`, {
        ...opts
    });
}
/**
 * Create shares
 */
export function createShares(shareOneOrSeveral: ShareOneOrSeveralWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ShareOrListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/shares${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: shareOneOrSeveral,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several shares
 */
export function updateShares(shareChanges: ShareChangesWrite, { fields, deep, alias, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ShareListEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/shares${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: shareChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several shares
 */
export function deleteShares(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/shares", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Log in with a share
 */
export function authenticateShare(shareLoginInput: ShareLoginInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SessionEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/shares/auth", oazapfts.json({
        ...opts,
        method: "POST",
        body: shareLoginInput
    }));
}
/**
 * Send a share by mail
 */
export function inviteToShare(shareInviteInput: ShareInviteInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 429;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/shares/invite", oazapfts.json({
        ...opts,
        method: "POST",
        body: shareInviteInput
    }));
}
/**
 * Read a share as a visitor
 */
export function readShareInfo(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ShareInfoEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/shares/info/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Read a share
 */
export function readShare(id: string, { fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ShareEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/shares/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update a share
 */
export function updateShare(id: string, sharePatch: SharePatchWrite, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ShareEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/shares/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: sharePatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a share
 */
export function deleteShare(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/shares/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Read the settings of the project
 */
export function readSettings({ fields, deep, alias }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SettingsEnvelopeRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/settings${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, {
        ...opts
    });
}
/**
 * Update the settings of the project
 */
export function updateSettings(settingsPatch: SettingsPatch, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: SettingsEnvelopeRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/settings${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: settingsPatch,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Generate a random text
 */
export function createRandomString({ length }: {
    length?: number;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TextEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/utils/random/string${QS.query(QS.explode({
        length
    }))}`, {
        ...opts
    });
}
/**
 * Hash a text as passwords are hashed
 */
export function hashString(hashInput: HashInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: TextEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/utils/hash/generate", oazapfts.json({
        ...opts,
        method: "POST",
        body: hashInput
    }));
}
/**
 * Compare a text with a hash
 */
export function matchHash(hashMatchInput: HashMatchInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: MatchEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/utils/hash/verify", oazapfts.json({
        ...opts,
        method: "POST",
        body: hashMatchInput
    }));
}
/**
 * Import rows of several collections
 */
export function importCollections(importBatch: ImportBatch, { mode, dryRun, dangerouslyAllowDelete }: {
    mode?: "add" | "merge";
    dryRun?: boolean;
    dangerouslyAllowDelete?: boolean;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ImportBatchEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/utils/import${QS.query(QS.explode({
        mode,
        dryRun,
        dangerouslyAllowDelete
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: importBatch
    }));
}
/**
 * Import items from a file
 */
export function importItems(collection: string, importInput: ImportInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/utils/import/${encodeURIComponent(collection)}`, oazapfts.multipart({
        ...opts,
        method: "POST",
        body: importInput
    }));
}
/**
 * Export items into a file
 */
export function exportItems(collection: string, exportInput: ExportInput, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/utils/export/${encodeURIComponent(collection)}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: exportInput
    }));
}
/**
 * Move an item within the manual order
 */
export function sortItems(collection: string, sortInput: SortInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/utils/sort/${encodeURIComponent(collection)}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: sortInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Revert an item to a revision
 */
export function revertItem(revision: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/utils/revert/${encodeURIComponent(revision)}`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Clear the caches
 */
export function clearCache({ system }: {
    system?: "" | "true" | "false";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/utils/cache/clear${QS.query(QS.explode({
        system
    }))}`, {
        ...opts,
        method: "POST"
    });
}
/**
 * List users for an identity provider
 */
export function readScimUsers({ startIndex, count, filter, attributes, excludedAttributes }: {
    startIndex?: number;
    count?: number;
    filter?: string;
    attributes?: string;
    excludedAttributes?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimUserList;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Users${QS.query(QS.explode({
        startIndex,
        count,
        filter,
        attributes,
        excludedAttributes
    }))}`, {
        ...opts
    });
}
/**
 * Create a user for an identity provider
 */
export function createScimUser(scimUserInput: ScimUserInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: ScimUser;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 409;
        data: ScimErrorBody;
    } | {
        status: 413;
        data: ScimErrorBody;
    } | {
        status: 415;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>("/scim/v2/Users", oazapfts.json({
        ...opts,
        method: "POST",
        body: scimUserInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read one user for an identity provider
 */
export function readScimUser(id: string, { attributes, excludedAttributes }: {
    attributes?: string;
    excludedAttributes?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimUser;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Users/${encodeURIComponent(id)}${QS.query(QS.explode({
        attributes,
        excludedAttributes
    }))}`, {
        ...opts
    });
}
/**
 * Replace the attributes of a user
 */
export function replaceScimUser(id: string, scimUserInput: ScimUserInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimUser;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 409;
        data: ScimErrorBody;
    } | {
        status: 413;
        data: ScimErrorBody;
    } | {
        status: 415;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Users/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: scimUserInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update some attributes of a user
 */
export function updateScimUser(id: string, scimUserChanges: ScimUserChanges, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimUser;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 409;
        data: ScimErrorBody;
    } | {
        status: 413;
        data: ScimErrorBody;
    } | {
        status: 415;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Users/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: scimUserChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a user for an identity provider
 */
export function deleteScimUser(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Users/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List groups for an identity provider
 */
export function readScimGroups({ startIndex, count, filter, attributes, excludedAttributes }: {
    startIndex?: number;
    count?: number;
    filter?: string;
    attributes?: string;
    excludedAttributes?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimGroupList;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Groups${QS.query(QS.explode({
        startIndex,
        count,
        filter,
        attributes,
        excludedAttributes
    }))}`, {
        ...opts
    });
}
/**
 * Create a group for an identity provider
 */
export function createScimGroup(scimGroupInput: ScimGroupInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: ScimGroup;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 409;
        data: ScimErrorBody;
    } | {
        status: 413;
        data: ScimErrorBody;
    } | {
        status: 415;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>("/scim/v2/Groups", oazapfts.json({
        ...opts,
        method: "POST",
        body: scimGroupInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read one group for an identity provider
 */
export function readScimGroup(id: string, { attributes, excludedAttributes }: {
    attributes?: string;
    excludedAttributes?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimGroup;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Groups/${encodeURIComponent(id)}${QS.query(QS.explode({
        attributes,
        excludedAttributes
    }))}`, {
        ...opts
    });
}
/**
 * Replace the attributes of a group
 */
export function replaceScimGroup(id: string, scimGroupInput: ScimGroupInput, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimGroup;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 409;
        data: ScimErrorBody;
    } | {
        status: 413;
        data: ScimErrorBody;
    } | {
        status: 415;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Groups/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body: scimGroupInput,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update a group and its members
 */
export function updateScimGroup(id: string, scimGroupChanges: ScimGroupChanges, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimGroup;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 409;
        data: ScimErrorBody;
    } | {
        status: 413;
        data: ScimErrorBody;
    } | {
        status: 415;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Groups/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: scimGroupChanges,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a group for an identity provider
 */
export function deleteScimGroup(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Groups/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Read what SCIM supports here
 */
export function readScimConfig(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimDocument;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>("/scim/v2/ServiceProviderConfig", {
        ...opts
    });
}
/**
 * List the types of resources
 */
export function readScimResourceTypes(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimDocumentList;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>("/scim/v2/ResourceTypes", {
        ...opts
    });
}
/**
 * Read one of the types of resources
 */
export function readScimResourceType(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimDocument;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/ResourceTypes/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * List the schemas of resources
 */
export function readScimSchemas(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimDocumentList;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>("/scim/v2/Schemas", {
        ...opts
    });
}
/**
 * Read one of the schemas of resources
 */
export function readScimSchema(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ScimDocument;
    } | {
        status: 400;
        data: ScimErrorBody;
    } | {
        status: 401;
        data: ScimErrorBody;
    } | {
        status: 403;
        data: ScimErrorBody;
    } | {
        status: 404;
        data: ScimErrorBody;
    } | {
        status: 500;
        data: ScimErrorBody;
    }>(`/scim/v2/Schemas/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Ping the server
 */
export function pingServer(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/server/ping", {
        ...opts
    });
}
/**
 * Read server information
 */
export function readServerInfo(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ServerInfoEnvelope;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/server/info", {
        ...opts
    });
}
/**
 * Set up a new project
 */
export function createFirstAdministrator(firstAdministrator: FirstAdministrator, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>("/server/setup", oazapfts.json({
        ...opts,
        method: "POST",
        body: firstAdministrator
    }));
}
/**
 * Read whether the server takes requests
 */
export function readServerReadiness(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ServerReadiness;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ServerReadiness;
    }>("/server/ready", {
        ...opts
    });
}
/**
 * Read the health of the server
 */
export function readServerHealth(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ServerHealth;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ServerHealth;
    }>("/server/health", {
        ...opts
    });
}
/**
 * Read the caller's AsyncAPI document
 */
export function readAsyncApiSpec(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: OpenObject;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/server/specs/asyncapi", {
        ...opts
    });
}
/**
 * Read the caller's GraphQL schema
 */
export function readGraphqlSpec(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: GraphqlText;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/server/specs/graphql", {
        ...opts
    });
}
/**
 * Read the GraphQL schema of one endpoint
 */
export function readScopedGraphqlSpec(scope: "items" | "system", opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: GraphqlText;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/server/specs/graphql/${encodeURIComponent(scope)}`, {
        ...opts
    });
}
/**
 * Read the caller's OpenAPI document
 */
export function readOpenApiSpec(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: OpenObject;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/server/specs/oas", {
        ...opts
    });
}
/**
 * List the items of a collection
 */
export function readItemsBooks({ fields, filter, search, sort, limit, offset, page, cursor, aggregate, groupBy, deep, alias, meta, $export, version }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    cursor?: string;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemBooksRead[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/items/books${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        cursor,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Create one item or several
 */
export function createItemsBooks(itemInputBooks: ItemInputBooks, { fields, deep, alias, onConflict, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    onConflict?: FieldList;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemOrListEnvelopeBooksRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/books${QS.query(QS.explode({
        fields,
        deep,
        alias,
        on_conflict: onConflict
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: itemInputBooks,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several items
 */
export function updateItemsBooks(itemOrListBooks: ItemOrListBooks, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemBooksRead[];
        };
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/books${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemOrListBooks,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several items
 */
export function deleteItemsBooks(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/items/books", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read changes of a collection as they happen
 */
export function readItemChangesBooks({ fields, filter, search, deep, alias, event, lastEventId }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    deep?: string;
    alias?: string;
    event?: "create" | "update" | "delete";
    lastEventId?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/books/changes${QS.query(QS.explode({
        fields,
        filter,
        search,
        deep,
        alias,
        event
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Last-Event-ID": lastEventId
        })
    });
}
/**
 * Read one item
 */
export function readItemBooks(id: string, { fields, deep, alias, version }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeBooksRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/books/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Update one item
 */
export function updateItemBooks(id: string, itemBooks: ItemBooks, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeBooksRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/books/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemBooks,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete one item
 */
export function deleteItemBooks(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/books/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List the items of a collection
 */
export function readItemsNotes({ fields, filter, search, sort, limit, offset, page, cursor, aggregate, groupBy, deep, alias, meta, $export, version }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    cursor?: string;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemNotes[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/items/notes${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        cursor,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Create one item or several
 */
export function createItemsNotes(itemInputNotes: ItemInputNotes, { fields, deep, alias, onConflict, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    onConflict?: FieldList;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemOrListEnvelopeNotes;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/notes${QS.query(QS.explode({
        fields,
        deep,
        alias,
        on_conflict: onConflict
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: itemInputNotes,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several items
 */
export function updateItemsNotes(itemOrListNotes: ItemOrListNotes, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemNotes[];
        };
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/notes${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemOrListNotes,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several items
 */
export function deleteItemsNotes(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/items/notes", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read changes of a collection as they happen
 */
export function readItemChangesNotes({ fields, filter, search, deep, alias, event, lastEventId }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    deep?: string;
    alias?: string;
    event?: "create" | "update" | "delete";
    lastEventId?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/notes/changes${QS.query(QS.explode({
        fields,
        filter,
        search,
        deep,
        alias,
        event
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Last-Event-ID": lastEventId
        })
    });
}
/**
 * Read one item
 */
export function readItemNotes(id: string, { fields, deep, alias, version }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeNotes;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/notes/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Update one item
 */
export function updateItemNotes(id: string, itemNotes: ItemNotes, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeNotes;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/notes/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemNotes,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete one item
 */
export function deleteItemNotes(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/notes/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List the items of a collection
 */
export function readItemsOdd20Name({ fields, filter, search, sort, limit, offset, page, cursor, aggregate, groupBy, deep, alias, meta, $export, version }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    cursor?: string;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemOdd20Name[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/items/odd%20name${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        cursor,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export,
        version
    }))}`, {
        ...opts
    });
}
/**
 * @deprecated Use {@link readItemsOdd20Name} instead.
 * List the items of a collection
 */
export function getItemsOdd20Name({ fields, filter, search, sort, limit, offset, page, cursor, aggregate, groupBy, deep, alias, meta, $export, version }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    cursor?: string;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemOdd20Name[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/items/odd%20name${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        cursor,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Create one item or several
 */
export function createItemsOdd20Name(itemInputOdd20Name: ItemInputOdd20Name, { fields, deep, alias, onConflict, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    onConflict?: FieldList;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemOrListEnvelopeOdd20Name;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name${QS.query(QS.explode({
        fields,
        deep,
        alias,
        on_conflict: onConflict
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: itemInputOdd20Name,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * @deprecated Use {@link createItemsOdd20Name} instead.
 * Create one item or several
 */
export function postItemsOdd20Name(itemInputOdd20Name: ItemInputOdd20Name, { fields, deep, alias, onConflict, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    onConflict?: FieldList;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemOrListEnvelopeOdd20Name;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name${QS.query(QS.explode({
        fields,
        deep,
        alias,
        on_conflict: onConflict
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: itemInputOdd20Name,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several items
 */
export function updateItemsOdd20Name(itemOrListOdd20Name: ItemOrListOdd20Name, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemOdd20Name[];
        };
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemOrListOdd20Name,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * @deprecated Use {@link updateItemsOdd20Name} instead.
 * Update several items
 */
export function patchItemsOdd20Name(itemOrListOdd20Name: ItemOrListOdd20Name, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemOdd20Name[];
        };
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemOrListOdd20Name,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several items
 */
export function deleteItemsOdd20Name(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/items/odd%20name", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * @deprecated Use {@link deleteItemsOdd20Name} instead.
 * Delete several items
 */
export function deleteItemsOdd20Name2(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/items/odd%20name", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read changes of a collection as they happen
 */
export function readItemChangesOdd20Name({ fields, filter, search, deep, alias, event, lastEventId }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    deep?: string;
    alias?: string;
    event?: "create" | "update" | "delete";
    lastEventId?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name/changes${QS.query(QS.explode({
        fields,
        filter,
        search,
        deep,
        alias,
        event
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Last-Event-ID": lastEventId
        })
    });
}
/**
 * @deprecated Use {@link readItemChangesOdd20Name} instead.
 * Read changes of a collection as they happen
 */
export function getItemsOdd20NameChanges({ fields, filter, search, deep, alias, event, lastEventId }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    deep?: string;
    alias?: string;
    event?: "create" | "update" | "delete";
    lastEventId?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name/changes${QS.query(QS.explode({
        fields,
        filter,
        search,
        deep,
        alias,
        event
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Last-Event-ID": lastEventId
        })
    });
}
/**
 * Read one item
 */
export function readItemOdd20Name(id: string, { fields, deep, alias, version }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeOdd20Name;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias,
        version
    }))}`, {
        ...opts
    });
}
/**
 * @deprecated Use {@link readItemOdd20Name} instead.
 * Read one item
 */
export function getItemsOdd20NameById(id: string, { fields, deep, alias, version }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeOdd20Name;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Update one item
 */
export function updateItemOdd20Name(id: string, itemOdd20Name: ItemOdd20Name, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeOdd20Name;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemOdd20Name,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * @deprecated Use {@link updateItemOdd20Name} instead.
 * Update one item
 */
export function patchItemsOdd20NameById(id: string, itemOdd20Name: ItemOdd20Name, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeOdd20Name;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemOdd20Name,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete one item
 */
export function deleteItemOdd20Name(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * @deprecated Use {@link deleteItemOdd20Name} instead.
 * Delete one item
 */
export function deleteItemsOdd20NameById(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/odd%20name/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List the items of a collection
 */
export function readItemsPeople({ fields, filter, search, sort, limit, offset, page, cursor, aggregate, groupBy, deep, alias, meta, $export, version }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    cursor?: string;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemPeopleRead[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/items/people${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        cursor,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Create one item or several
 */
export function createItemsPeople(itemInputPeople: ItemInputPeople, { fields, deep, alias, onConflict, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    onConflict?: FieldList;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemOrListEnvelopePeopleRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people${QS.query(QS.explode({
        fields,
        deep,
        alias,
        on_conflict: onConflict
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: itemInputPeople,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several items
 */
export function updateItemsPeople(itemOrListPeople: ItemOrListPeople, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemPeopleRead[];
        };
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemOrListPeople,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several items
 */
export function deleteItemsPeople(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/items/people", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read changes of a collection as they happen
 */
export function readItemChangesPeople({ fields, filter, search, deep, alias, event, lastEventId }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    deep?: string;
    alias?: string;
    event?: "create" | "update" | "delete";
    lastEventId?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people/changes${QS.query(QS.explode({
        fields,
        filter,
        search,
        deep,
        alias,
        event
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Last-Event-ID": lastEventId
        })
    });
}
/**
 * Read one item
 */
export function readItemPeople(id: string, { fields, deep, alias, version }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopePeopleRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Update one item
 */
export function updateItemPeople(id: string, itemPeople: ItemPeople, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopePeopleRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemPeople,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete one item
 */
export function deleteItemPeople(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List the items of a collection
 */
export function readItemsPeopleBooks({ fields, filter, search, sort, limit, offset, page, cursor, aggregate, groupBy, deep, alias, meta, $export, version }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    cursor?: string;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemPeopleBooksRead[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/items/people_books${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        cursor,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Create one item or several
 */
export function createItemsPeopleBooks(itemInputPeopleBooks: ItemInputPeopleBooks, { fields, deep, alias, onConflict, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    onConflict?: FieldList;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemOrListEnvelopePeopleBooksRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people_books${QS.query(QS.explode({
        fields,
        deep,
        alias,
        on_conflict: onConflict
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: itemInputPeopleBooks,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several items
 */
export function updateItemsPeopleBooks(itemOrListPeopleBooks: ItemOrListPeopleBooks, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemPeopleBooksRead[];
        };
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people_books${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemOrListPeopleBooks,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several items
 */
export function deleteItemsPeopleBooks(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/items/people_books", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read changes of a collection as they happen
 */
export function readItemChangesPeopleBooks({ fields, filter, search, deep, alias, event, lastEventId }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    deep?: string;
    alias?: string;
    event?: "create" | "update" | "delete";
    lastEventId?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people_books/changes${QS.query(QS.explode({
        fields,
        filter,
        search,
        deep,
        alias,
        event
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Last-Event-ID": lastEventId
        })
    });
}
/**
 * Read one item
 */
export function readItemPeopleBooks(id: string, { fields, deep, alias, version }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopePeopleBooksRead;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people_books/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Update one item
 */
export function updateItemPeopleBooks(id: string, itemPeopleBooks: ItemPeopleBooks, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopePeopleBooksRead;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people_books/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemPeopleBooks,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete one item
 */
export function deleteItemPeopleBooks(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/people_books/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * List the items of a collection
 */
export function readItemsTitles({ fields, filter, search, sort, limit, offset, page, cursor, aggregate, groupBy, deep, alias, meta, $export, version }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    sort?: FieldList;
    limit?: number;
    offset?: number;
    page?: number;
    cursor?: string;
    aggregate?: string;
    groupBy?: FieldList;
    deep?: string;
    alias?: string;
    meta?: FieldList;
    $export?: "csv" | "json" | "xml" | "yaml";
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemTitles[];
        };
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    } | {
        status: 503;
        data: ErrorBody;
    }>(`/items/titles${QS.query(QS.explode({
        fields,
        filter,
        search,
        sort,
        limit,
        offset,
        page,
        cursor,
        aggregate,
        groupBy,
        deep,
        alias,
        meta,
        "export": $export,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Create one item or several
 */
export function createItemsTitles(itemInputTitles: ItemInputTitles, { fields, deep, alias, onConflict, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    onConflict?: FieldList;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemOrListEnvelopeTitles;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/titles${QS.query(QS.explode({
        fields,
        deep,
        alias,
        on_conflict: onConflict
    }))}`, oazapfts.json({
        ...opts,
        method: "POST",
        body: itemInputTitles,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Update several items
 */
export function updateItemsTitles(itemOrListTitles: ItemOrListTitles, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            meta?: Counts;
            /** The items. */
            data: ItemTitles[];
        };
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/titles${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemOrListTitles,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete several items
 */
export function deleteItemsTitles(itemTarget: ItemTarget, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>("/items/titles", oazapfts.json({
        ...opts,
        method: "DELETE",
        body: itemTarget,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Read changes of a collection as they happen
 */
export function readItemChangesTitles({ fields, filter, search, deep, alias, event, lastEventId }: {
    fields?: FieldList;
    filter?: string;
    search?: string;
    deep?: string;
    alias?: string;
    event?: "create" | "update" | "delete";
    lastEventId?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/titles/changes${QS.query(QS.explode({
        fields,
        filter,
        search,
        deep,
        alias,
        event
    }))}`, {
        ...opts,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Last-Event-ID": lastEventId
        })
    });
}
/**
 * Read one item
 */
export function readItemTitles(id: string, { fields, deep, alias, version }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    version?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeTitles;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/titles/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias,
        version
    }))}`, {
        ...opts
    });
}
/**
 * Update one item
 */
export function updateItemTitles(id: string, itemTitles: ItemTitles, { fields, deep, alias, ifMatch, idempotencyKey }: {
    fields?: FieldList;
    deep?: string;
    alias?: string;
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: ItemEnvelopeTitles;
    } | {
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 413;
        data: ErrorBody;
    } | {
        status: 415;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/titles/${encodeURIComponent(id)}${QS.query(QS.explode({
        fields,
        deep,
        alias
    }))}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body: itemTitles,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete one item
 */
export function deleteItemTitles(id: string, { ifMatch, idempotencyKey }: {
    ifMatch?: string;
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: ErrorBody;
    } | {
        status: 401;
        data: ErrorBody;
    } | {
        status: 403;
        data: ErrorBody;
    } | {
        status: 404;
        data: ErrorBody;
    } | {
        status: 412;
        data: ErrorBody;
    } | {
        status: 422;
        data: ErrorBody;
    } | {
        status: 500;
        data: ErrorBody;
    }>(`/items/titles/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "If-Match": ifMatch,
            "Idempotency-Key": idempotencyKey
        })
    });
}
