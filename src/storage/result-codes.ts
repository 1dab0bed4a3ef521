/** SQLite's own names of its result codes, by number. */
const primary = [
  ...[
    'OK',
    'ERROR',
    'INTERNAL',
    'PERM',
    'ABORT',
    'BUSY',
    'LOCKED',
    'NOMEM',
    'READONLY',
    'INTERRUPT',
    'IOERR',
    'CORRUPT',
  ],
  ...['NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG', 'CONSTRAINT', 'MISMATCH', 'MISUSE'],
  ...['NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB'],
]

/** Of the finer ones those that somebody may want to tell apart. */
const extended: Readonly<Record<number, string>> = {
  261: 'BUSY_RECOVERY',
  517: 'BUSY_SNAPSHOT',
  262: 'LOCKED_SHAREDCACHE',
  1032: 'READONLY_DBMOVED',
  275: 'CONSTRAINT_CHECK',
  787: 'CONSTRAINT_FOREIGNKEY',
  1299: 'CONSTRAINT_NOTNULL',
  1555: 'CONSTRAINT_PRIMARYKEY',
  1811: 'CONSTRAINT_TRIGGER',
  2067: 'CONSTRAINT_UNIQUE',
  2579: 'CONSTRAINT_ROWID',
  3091: 'CONSTRAINT_DATATYPE',
}

/** The name of a result code, `SQLITE_BUSY` for instance; of a finer one that is not known here the name of its kind. */
export const codeOf = (code: number): string => `SQLITE_${extended[code] ?? primary[code & 0xff] ?? 'ERROR'}`
