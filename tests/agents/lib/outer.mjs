// The terminal of a person, played by tmux: bellhop's UI runs in it, gets keys and mouse reports as
// bytes, and what it drew is read back.

import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { assert, eventually } from './tap.mjs'

const run = promisify(execFile)
const PREFIX = '\x02'
const WIDE = /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\u3000-\u303e\uff01-\uff60]/u
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

export async function haveTmux() {
  return run('tmux', ['-V']).then(() => true, () => false)
}

// The columns from first on, at most count, of a row of text.
function cut(row, first, count) {
  let col = 0
  let text = ''
  for (const { segment } of segmenter.segment(row)) {
    if (col >= first && col < first + count) text += segment
    col += WIDE.test(segment) ? 2 : 1
  }
  return text
}

export class Outer {
  // name: of the terminal, once per session; args: of bellhop.
  static async open(session, name, cols, rows, args = []) {
    const outer = new Outer()
    outer.session = session
    outer.socket = path.join(session.runtimeDir, `tmux-${name}`)
    const quoted = [session.program, ...args].map(word => `'${word}'`).join(' ')
    await outer.tmux('new-session', '-d', '-x', String(cols), '-y', String(rows), `${quoted}; echo "rc=$?"; exec sh`)
    await outer.tmux('set-option', '-g', 'status', 'off')
    await outer.tmux('set-option', '-g', 'window-size', 'manual')
    await outer.tmux('set-option', '-as', 'terminal-features', ',*:RGB')
    await outer.resize(cols, rows)
    return outer
  }

  async tmux(...args) {
    return (await run('tmux', ['-S', this.socket, '-f', '/dev/null', ...args], { env: { ...this.session.env, SHELL: '/bin/sh', COLORTERM: 'truecolor' } })).stdout
  }

  resize(cols, rows) {
    return this.tmux('resize-window', '-x', String(cols), '-y', String(rows))
  }

  // Bytes as the terminal would send them.
  bytes(text) {
    return this.tmux('send-keys', '-l', text)
  }

  // A key for the UI.
  prefixed(bytes) {
    return this.bytes(PREFIX + bytes)
  }

  // As terminals do: in brackets, which bellhop must have asked for, with CR for the end of a line.
  async paste(text) {
    const file = `${this.socket}.paste`
    fs.writeFileSync(file, text)
    await this.tmux('load-buffer', file)
    await this.tmux('paste-buffer', '-p')
  }

  // A report of the mouse at a cell from 0: a button of SGR 1006, pressed or released.
  mouse(button, row, col, isRelease = false) {
    return this.bytes(`\x1b[<${button};${col + 1};${row + 1}${isRelease ? 'm' : 'M'}`)
  }

  shown(...options) {
    return this.tmux('capture-pane', '-p', ...options)
  }

  async see(pattern) {
    return eventually(async () => `${pattern} on the person's terminal:\n${await this.shown()}`,
      async () => pattern.test(await this.shown()))
  }

  // What the person sees of the pane of a terminal: rows of text, blanks at the end cut.
  async pane(name) {
    const layout = JSON.parse(await this.session.must('rpc', 'layout.get', '{}'))
    const pane = layout.tabs.flatMap(tab => tab.panes).find(at => at.identity === name)
    const [cols, lines] = (await this.tmux('display-message', '-p', '#{pane_width} #{pane_height}')).trim().split(' ').map(Number)
    const left = cols - layout.area.cols
    assert.equal(lines, layout.area.rows + 2, 'the session has another size than this terminal')
    const rows = (await this.shown('-N')).split('\n')
    return rows.slice(1 + pane.row, 1 + pane.row + pane.rows).map(row => cut(row, left + pane.col, pane.cols).trimEnd())
  }

  // It shows of a terminal what the server has, cell by cell; it may take a moment.
  async expectSame(name) {
    let seen = ''
    let wanted = ''
    await eventually(() => `${name} is seen as it is; seen:\n${seen}\nwanted:\n${wanted}`, async () => {
      wanted = (await this.session.screen(name)).split('\n').map(row => row.trimEnd()).join('\n').trimEnd()
      seen = (await this.pane(name)).join('\n').trimEnd()
      return seen === wanted
    })
  }

  async close() {
    await this.tmux('kill-server').catch(() => {})
  }
}
