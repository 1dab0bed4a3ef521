import { failure, ok, type Finding } from './finding.ts'

/** The oldest Node.js that we support. */
const leastNode = [20, 19] as const

/** Whether this Node.js is new enough. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const isEnough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
  if (isEnough) return ok('node', `Node.js ${version}`)
  return failure('node', `Node.js ${version} is too old`, `Install Node.js ${leastNode.join('.')} or newer.`)
}

/** Whether a SQLite library fits this Node.js: `load` opens a database in memory and tells the library and SQLite's version. */
export async function checkNativeModule(load: () => Promise<string>): Promise<Finding> {
  try {
    return ok('sqlite', await load())
  } catch {
    return failure(
      'sqlite',
      'better-sqlite3 cannot be loaded by this Node.js',
      'Run `npm rebuild better-sqlite3` with the Node.js that runs this program (it needs python3, make and g++ where no prebuilt binary fits).',
    )
  }
}

/** Whether this build can be compatible with any backend; where only sandboxes are started it need not be. */
export function checkStamp(
  stamp: { productVersion: string; sourceCommit: string },
  { isOnlySandbox }: { isOnlySandbox: boolean },
): Finding {
  const told = `product version ${stamp.productVersion}, source commit ${stamp.sourceCommit}`
  if (/^[0-9a-f]{40}$/.test(stamp.sourceCommit)) return ok('build', told)
  if (isOnlySandbox) return ok('build', `${told}: enough for the sandbox, which is all that clients start here`)
  return failure(
    'build',
    `${told}: an unstamped build is compatible with no real backend`,
    'Build with HUBU_PRODUCT_VERSION and HUBU_SOURCE_COMMIT set to those of the Hubu release. The sandbox needs no stamp.',
  )
}
