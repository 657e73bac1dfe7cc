"""Writes `blocks.pyi`, from which editors know the arguments of the classes of `kinegraph.blocks`:
`python -m kinegraph.stubs`.
"""

from __future__ import annotations

import textwrap
from keyword import iskeyword
from pathlib import Path
from typing import Any, Dict, List

from . import _kinegraph
from .blocks import CATALOG, argument_name, class_name, doc_of

HEAD = '''"""A class for every block type of the catalog. Written by `python -m kinegraph.stubs`."""

from typing import Any, Dict, List

from .ports import Named, Port

CATALOG: List[Dict[str, Any]]
TYPES: Dict[str, type]

class CatalogBlock(Named):
    type_name: str
    parameters: Dict[str, Any]
    def __init__(self, **parameters: Any) -> None: ...

def class_name(type_name: str) -> str: ...
def argument_name(key: str) -> str: ...
def doc_of(facts: Dict[str, Any]) -> str: ...
'''


def text() -> str:
    """Text of `blocks.pyi`."""
    return HEAD + "".join(_of_type(facts) for facts in CATALOG)


def _of_type(facts: Dict[str, Any]) -> str:
    doc = doc_of(facts).replace("\\", "\\\\").rstrip()
    lines: List[str] = [f'"""{doc}', '"""']
    for name in _ports(facts["name"]):
        lines += ["@property", f"def {name}(self) -> Port: ..."]
    lines += ["def __init__(", "    self,", "    *,"]
    for parameter in sorted(facts["parameters"], key=lambda parameter: not parameter["required"]):
        default = "" if parameter["required"] else " = None"
        lines.append(f"    {argument_name(parameter['key'])}: Any{default},")
    lines.append(") -> None: ...")
    body = textwrap.indent("\n".join(lines), "    ")
    return f"\nclass {class_name(facts['name'])}(CatalogBlock):\n{body}\n"


def _ports(type_name: str) -> List[str]:
    """The ports of the example that are names of Python: those of a model are found by `plant.state("arm")`."""
    names: List[str] = []
    for _, name, _, _ in _kinegraph.ports_of_example(type_name):
        name = name.split(".")[-1]
        if name.isidentifier() and not iskeyword(name) and name not in names and name != "name":
            names.append(name)
    return names


if __name__ == "__main__":
    (Path(__file__).parent / "blocks.pyi").write_text(text(), encoding="utf-8")
