import { describe, expect, it } from 'vitest'
import { jsonc } from '../../../src/documents/json.ts'
import { toml } from '../../../src/documents/toml.ts'
import { yaml } from '../../../src/documents/yaml.ts'
import { maskDocument } from '../../../src/client-configs/files/mask-document.ts'

describe('a whole file hides', () => {
  it('values of environments and headers, secret arguments and secret names, and keeps its lines', () => {
    const text = `{
  "apiKey": "s1", // c
  "mcpServers": {
    "a": {
      "args": ["-e",
        "K=s2", "--token", "s3", "plain", "--header", "Authorization: Bearer s8", "-H", "X: s9"],
      "env": {"ANY": "s4", "N": 5},
      "headers": {"X": "s5"},
      "url": "https://u:s6@h/x?k=s7"
    }
  }
}`
    const shown = maskDocument(jsonc, text)
    expect(shown).not.toMatch(/s\d\b/)
    expect(shown).toContain('"K=***", "--token", "***", "plain", "--header", "Authorization: ***", "-H", "X: ***"')
    expect(shown.split('\n')).toHaveLength(text.split('\n').length)
  })

  it('the same in TOML and YAML, over several lines', () => {
    expect(maskDocument(toml, 'env.A = """\nx\ns1\n"""\nb = 1\n')).toBe('env.A = """***"""\n\n\n\nb = 1\n')
    const text = 'env:\n  A: |\n    s1\n    s2\n  B: s3\nlist:\n  - name: a\n    env:\n      - K=s4\n'
    const shown = maskDocument(yaml, text)
    expect(shown).not.toMatch(/s\d\b/)
    expect(shown).toContain('- K=***')
    expect(shown.split('\n')).toHaveLength(text.split('\n').length)
  })

  it('nothing of the variables that our own entries set, which are paths and endpoints', () => {
    const text =
      '[mcp_servers.hubu.env]\nHUBU_UNIFIED_HUBU_BEARER_TOKEN_FILE = "/t"\nHUBU_MCP_TRUST_CLIENT_APPROVAL = "1"\n'
    expect(maskDocument(toml, text)).toBe(text)
  })
})
