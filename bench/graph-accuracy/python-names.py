"""python3 python-names.py ROOT: definitions, names and call sites of a tree by CPython's own parser, as JSON lines."""
import ast
import json
import os
import re
import sys

root = sys.argv[1]


class Names(ast.NodeVisitor):
    def __init__(self, path, text):
        self.path = path
        self.lines = text.split("\n")
        self.scopes = ["module"]
        self.owner = None

    def place(self, line, offset):
        text = self.lines[line - 1].encode("utf-8")[:offset].decode("utf-8", "replace")
        return {"file": self.path, "line": line - 1, "column": len(text.encode("utf-16-le")) // 2}

    def print(self, entry, name, line, offset, **more):
        at = self.place(line, offset)
        if not self.lines[line - 1].encode("utf-16-le")[at["column"] * 2 :].decode("utf-16-le").startswith(name):
            return
        print(json.dumps({"is": entry, "name": name, **at, **more}))

    def definition(self, node, kind):
        line = self.lines[node.lineno - 1].encode("utf-8")
        found = re.compile(rb"(async\s+)?(def|class)\s+").match(line, node.col_offset)
        at = found.end() if found else node.col_offset
        more = {"owner": self.owner} if self.scopes[-1] == "class" else {}
        self.print("definition", node.name, node.lineno, at, kind=kind, **more)
        return self.place(node.lineno, at)

    def visit_ClassDef(self, node):
        self.decorators(node)
        for inner in node.decorator_list + node.bases + [word.value for word in node.keywords]:
            self.visit(inner)
        at = self.definition(node, "class")
        before, self.owner = self.owner, at
        self.scopes.append("class")
        for inner in node.body:
            self.visit(inner)
        self.scopes.pop()
        self.owner = before

    def visit_FunctionDef(self, node):
        self.decorators(node)
        self.definition(node, "function")
        for inner in node.decorator_list:
            self.visit(inner)
        before, self.owner = self.owner, self.owner
        self.scopes.append("function")
        self.visit(node.args)
        if node.returns:
            self.visit(node.returns)
        for inner in node.body:
            self.visit(inner)
        self.scopes.pop()
        self.owner = before

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.scopes.append("function")
        self.generic_visit(node)
        self.scopes.pop()

    def decorators(self, node):
        for decorator in node.decorator_list:
            if not isinstance(decorator, ast.Call):
                self.site(decorator, "decorator")

    def visit_arg(self, node):
        self.print("name", node.arg, node.lineno, node.col_offset, kind="parameter")
        self.generic_visit(node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store):
            kind = {"module": "variable", "class": "field", "function": "local"}[self.scopes[-1]]
            self.print("name", node.id, node.lineno, node.col_offset, kind=kind)

    def visit_Attribute(self, node):
        if isinstance(node.ctx, ast.Store):
            offset = node.end_col_offset - len(node.attr.encode("utf-8"))
            self.print("name", node.attr, node.end_lineno, offset, kind="field")
        self.generic_visit(node)

    def visit_Call(self, node):
        self.site(node.func, "call")
        self.generic_visit(node)

    def visit_JoinedStr(self, node):
        start = self.place(node.lineno, node.col_offset)
        end = self.place(node.end_lineno, node.end_col_offset)
        print(json.dumps({"is": "blurred", "file": self.path, "from": start, "to": end}))
        self.generic_visit(node)

    def site(self, node, kind):
        if isinstance(node, ast.Name):
            self.print("site", node.id, node.lineno, node.col_offset, kind=kind)
        elif isinstance(node, ast.Attribute):
            offset = node.end_col_offset - len(node.attr.encode("utf-8"))
            self.print("site", node.attr, node.end_lineno, offset, kind=kind)


for folder, folders, files in os.walk(root):
    folders.sort()
    for name in sorted(files):
        if not name.endswith(".py"):
            continue
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        short = os.path.relpath(path, root).replace(os.sep, "/")
        print(json.dumps({"is": "file", "file": short}))
        Names(short, text).visit(ast.parse(text))
