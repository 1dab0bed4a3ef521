// Pure: what a child's last words mean, from a closed set of sentences. Of its text only names are repeated: of a declared variable, of a
// missing module or file without its folders, of an error of npm.

const byWords: readonly (readonly [RegExp, string])[] = [
  [
    /EBADENGINE|Unsupported engine|requires? node(\.js)? ?(version )?[>v\d]|ERR_UNKNOWN_BUILTIN_MODULE|SyntaxError: Unexpected token '(\?\?=|\?\.|\|\|=|\.)'/i,
    'it needs a newer Node.js',
  ],
  [/could not determine executable to run/i, 'its package has no program to run'],
  [/npm (error|ERR!) code (E404|ETARGET|ENOVERSIONS)\b/, 'npm does not know its package'],
  [/npm (error|ERR!) code (E401|E403|ENEEDAUTH)\b/, "npm's registry does not accept our credentials"],
  [
    /npm (error|ERR!) code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH)\b/,
    'npm cannot reach its registry',
  ],
  [/npm (error|ERR!) code \w*CERT\w*\b/, "the certificate of npm's registry is not trusted"],
  [/ENOSPC|No space left on device/i, 'the disk is full'],
  [/EADDRINUSE|address already in use/i, 'the port that it wants is taken'],
  [/permission denied|EACCES|EPERM/i, 'permission denied'],
]

const missing: readonly RegExp[] = [
  /(?:cannot find (?:module|package)|no module named|ENOENT[^'\n]*|no such file or directory[^'\n]*|can't open file) ['"]([^'"\n]+)['"]/i,
  // Only in the words of a shell or of `env`: anybody may write "not found" behind any word.
  /\b(?:sh|bash|dash|zsh|ksh|env): (?:(?:line )?\d+: )?['"‘]?([\w@./-]+)['"’]?: (?:not found|command not found|no such file or directory)/i,
  /\bcommand not found: ([\w@./-]+)/i,
  /no such file or directory: ([\w@./-]+)/i,
]

/** Why it ended, as far as it said so; undefined when it did not. */
export function lastWordsReason(tail: string, declaredVariables: readonly string[]): string | undefined {
  for (const [pattern, reason] of byWords) if (pattern.test(tail)) return reason
  if (/no such file|cannot find (module|package)|no module named|ENOENT|not found/i.test(tail)) {
    const named = missing.map((pattern) => pattern.exec(tail)?.[1]).find((name) => name !== undefined)
    return `a file that it needs is missing${nameOf(named)}`
  }
  if (/unknown option|unrecognized (option|argument)|invalid option/i.test(tail)) return 'it rejects an option'
  if (aboutVariable.test(tail)) {
    const variable = declaredVariables.find((candidate) => tail.includes(candidate))
    return variable === undefined
      ? 'a required environment variable is missing'
      : `the environment variable ${variable} is missing or not accepted`
  }
  const code = /npm (?:error|ERR!) code ([A-Z][A-Z0-9_]{2,30})\b/.exec(tail)?.[1]
  return code === undefined ? undefined : `npm failed (${code})`
}

const aboutVariable =
  /(required|missing|not set|must be set|undefined).*\b[A-Z][A-Z0-9_]{3,}\b|\b[A-Z][A-Z0-9_]{3,}\b.*(required|missing|not set|must be set|undefined)/

/** The name of a package as it is, of a file its last part: the folders before it are nobody's business. */
function nameOf(named: string | undefined): string {
  const name = named === undefined || /^@[\w.-]+\/[\w.-]+$/.test(named) ? named : named.split(/[/\\]/).at(-1)
  return name !== undefined && /^[\w@./-]{1,64}$/.test(name) ? `: ${name}` : ''
}
