/** A primary key in its wire form; core converts it to the type of the column. */
export type Key = string | number
