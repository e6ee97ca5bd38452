/** `pg` in the bundle: no database, so none of its errors. */
export class DatabaseError extends Error {}
