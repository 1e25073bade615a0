"""Writes docs/python-reference.md from the docstrings of the package.

    PYTHONPATH=build/python build/venv/bin/python scripts/python-reference.py [--check]
"""

import ast
import inspect
import pathlib
import re
import sys

import hamel as hm

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "python-reference.md"
FOLDER = pathlib.Path(hm._hamel.__file__).parent


def definitions():
    """Classes and functions of the stubs and of files in Python, by name."""
    found = {}
    for file in [*sorted(FOLDER.glob("_*.py")), FOLDER / "__init__.py", FOLDER / "_hamel.pyi"]:
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found[node.name] = node
    return found


def is_public(name):
    return not name.startswith("_") or name in ("__call__", "__getitem__")


def words(node):
    return re.sub(r"\s+", " ", ast.get_docstring(node) or "")


def signature(node):
    """Without types of self, and without the names of modules."""
    text = f"({ast.unparse(node.args)})"
    text = re.sub(r"\(self(: \w+)?(, /)?(, )?", "(", text).replace(", /)", ")")
    if node.returns is not None:
        text += f" -> {ast.unparse(node.returns)}"
    text = re.sub(r"Annotated\[NDArray\[numpy.float64\], dict\([^\]]*\)\]", "Array", text)
    return re.sub(r"NDArray\[numpy.float64\]", "Array", text)


def is_property(node):
    return any(ast.unparse(one).endswith("property") for one in node.decorator_list)


def member(node):
    if is_property(node):
        return f"- `{node.name}`" + (f": `{signature(node)[6:]}`" if node.returns else "") + f". {words(node)}"
    name = {"__init__": "", "__call__": "(call)", "__getitem__": "[...]"}.get(node.name, node.name)
    return f"- `{name}{signature(node)}`. {words(node)}".rstrip()


def body_of(node, nodes):
    """Its members, and those of the classes that it is made of."""
    inherited = [nodes[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in nodes]
    return [*node.body, *(one for base in inherited for one in base.body)]


def of_class(node, nodes):
    lines = [f"### {node.name}", "", words(node), ""]
    seen = set()
    for one in body_of(node, nodes):
        if isinstance(one, ast.FunctionDef) and is_public(one.name) and one.name not in seen and words(one):
            seen.add(one.name)
            lines.append(member(one))
    return [*lines, ""] if seen else lines


def page():
    nodes = definitions()
    public = [name for name in vars(hm) if not name.startswith("_") and not inspect.ismodule(getattr(hm, name))]
    classes = [nodes[name] for name in public if isinstance(nodes.get(name), ast.ClassDef)]
    functions = [nodes[name] for name in public if isinstance(nodes.get(name), ast.FunctionDef)]
    spaces = [name for name in public if isinstance(getattr(hm, name), hm.Space)]
    lines = ["# Reference of the Python package", "", "Written by `make docs` from the docstrings; [docs/python.md](python.md) explains.", ""]
    lines += ["`Array` is a NumPy array of float64. `FormulaLike` is a formula, a number, an array, or a list of them; `ArrayLike`", "what NumPy takes for an array; `NamedNumbers` a dictionary from names to them.", ""]
    lines += ["## Spaces", "", ", ".join(f"`{name}`" for name in spaces) + ", and `R(n)`, `Sphere(n)`, `Stiefel(n, k)`.", ""]
    lines += ["## Functions", "", *(f"- `{node.name}{signature(node)}`. {words(node)}" for node in sorted(functions, key=lambda one: one.name)), ""]
    lines += ["## Classes", ""]
    for node in sorted(classes, key=lambda one: one.name):
        lines += of_class(node, nodes)
    return "\n".join(lines).rstrip() + "\n"


def main():
    if "--check" not in sys.argv:
        PAGE.write_text(page())
    elif not PAGE.exists() or PAGE.read_text() != page():
        sys.exit("docs/python-reference.md is not that of the docstrings: `make docs` writes it")


main()
