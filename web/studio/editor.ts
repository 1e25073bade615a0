// The model file, as it is typed, with the mistake that hamel finds in it at its place.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { Refusal } from "../client/types";
import { modelColours } from "./colours";

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13.5px" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace', lineHeight: "1.55" },
  ".cm-gutters": { background: "transparent", border: "none", color: "var(--faint)" },
  ".cm-activeLine": { background: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent) !important",
  },
  ".cm-tooltip": { background: "var(--raised)", color: "var(--ink)", border: "1px solid var(--rule)", borderRadius: "6px" },
  ".cm-diagnostic": { padding: "0.4rem 0.7rem", maxWidth: "34em" },
});

// Of a place that is counted in bytes.
function rangeOf(text: string, { begin = 0, length = 0 }: Refusal): { from: number; to: number } {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const from = decoder.decode(bytes.subarray(0, begin)).length;
  const to = from + decoder.decode(bytes.subarray(begin, begin + Math.max(length, 1))).length;
  return { from: Math.min(from, text.length), to: Math.min(to, text.length) };
}

export class Editor {
  readonly view: EditorView;
  private quiet = false;

  constructor(parent: HTMLElement, onChange: (text: string) => void) {
    const heard = EditorView.updateListener.of((update) => {
      if (update.docChanged && !this.quiet) onChange(this.text);
    });
    const described = "Tab indents; Escape, then Tab leaves the editor";
    const name = EditorView.contentAttributes.of({ "aria-label": "model file", "aria-description": described, tabindex: "0", spellcheck: "false" });
    const leaving = EditorView.domEventHandlers({
      keydown: ({ key }, view) => {
        if (key !== "Tab" && key !== "Shift") view.setTabFocusMode(key === "Escape");
      },
      blur: (_, view) => view.setTabFocusMode(false),
    });
    const keys = keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]);
    const extensions = [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), lintGutter(), modelColours, look, name, leaving, keys, heard,
      EditorView.lineWrapping,
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ extensions }) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  // Another file; what was there can be had back by undo.
  set(text: string): void {
    this.quiet = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
    this.quiet = false;
  }

  mark(mistake: Refusal | null): void {
    const found: Diagnostic[] = [];
    if (mistake?.line !== undefined) found.push({ ...rangeOf(this.text, mistake), severity: "error", message: mistake.message });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  goTo(mistake: Refusal): void {
    const { from } = rangeOf(this.text, mistake);
    this.view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.view.focus();
  }
}
