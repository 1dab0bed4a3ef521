import path from 'node:path'
import { environmentVariables as names, isBlank, readVariable } from './environment.ts'
import { dataFolder, type Place } from './paths.ts'

/**
 * Where it is kept what happens beside the calls: where the variable says, else beside the registry, else in the data folder.
 * Undefined when the machine has no place for it.
 */
export function activityPath(place: Place): string | undefined {
  const named = readVariable(place.env, names.activityPath)
  if (!isBlank(named)) return path.resolve(named)
  const statePath = readVariable(place.env, names.statePath)
  const isFile = !isBlank(statePath) && !/^\w+:\/\//.test(statePath)
  const folder = isFile ? path.dirname(path.resolve(statePath)) : dataFolder(place)
  return path.isAbsolute(folder) ? path.join(folder, 'activity.sqlite3') : undefined
}
