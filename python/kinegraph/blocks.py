"""A class for every block type of the catalog. The keyword arguments are the keys of diagram files.

The classes are made of the catalog when this module is imported; `blocks.pyi` beside it, for editors, is written by
`python -m kinegraph.stubs`.
"""

from __future__ import annotations

import inspect
import keyword
import textwrap
from typing import Any, Dict, List

from . import _kinegraph
from .ports import Named

__all__: List[str] = ["CatalogBlock", "TYPES"]


class CatalogBlock(Named):
    """A block of the catalog."""

    #: The word after `type:` in diagram files.
    type_name = ""

    def __init__(self, **parameters: Any) -> None:
        spelled = {argument_name(key): key for key in self._keys}
        for name in parameters:
            if name not in spelled:
                known = ", ".join(spelled)
                raise TypeError(f"{type(self).__name__} takes no `{name}`; it takes {known}")
        # A key that is None is one that is not there.
        self.parameters = {spelled[name]: value for name, value in parameters.items() if value is not None}

    def _entry(self, objects: List[Any]) -> Dict[str, Any]:
        return {"type": self.type_name, **self.parameters}

    def __repr__(self) -> str:
        inside = ", ".join(f"{argument_name(key)}={value!r}" for key, value in self.parameters.items())
        return f"{type(self).__name__}({inside})"


def class_name(type_name: str) -> str:
    """The name of the class of a block type: `dc_motor` is `DcMotor`."""
    return "".join(part.capitalize() for part in type_name.split("_"))


def argument_name(key: str) -> str:
    """A key as a keyword argument: `from` is `from_`."""
    return key + "_" if keyword.iskeyword(key) else key


def doc_of(facts: Dict[str, Any]) -> str:
    """The documentation of a block type."""
    lines = [f"{facts['about'][0].upper()}{facts['about'][1:]}.", ""]
    for parameter in facts["parameters"]:
        lines += _doc_of_parameter(parameter, "")
    example = textwrap.indent(facts["example"], "    ")
    return "\n".join([*lines, "", "In a diagram file:", "", example, ""])


def _doc_of_parameter(parameter: Dict[str, Any], indent: str) -> List[str]:
    default = "required" if parameter["required"] else f"default: {parameter['default']}"
    text = f"{argument_name(parameter['key']) if not indent else parameter['key']}: {parameter['about']}; "
    text += f"{parameter['expects']} ({default})"
    lines = textwrap.wrap(text, 100, initial_indent=indent, subsequent_indent=indent + "    ")
    for key in parameter["keys"]:
        lines += _doc_of_parameter(key, indent + "    ")
    return lines


def _make(facts: Dict[str, Any]) -> type:
    keys = [parameter["key"] for parameter in facts["parameters"]]
    # Required parameters come first, as a signature requires.
    ordered = sorted(facts["parameters"], key=lambda parameter: not parameter["required"])
    arguments = [
        inspect.Parameter(
            argument_name(parameter["key"]),
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if parameter["required"] else None,
        )
        for parameter in ordered
    ]
    name = class_name(facts["name"])
    members = {
        "__doc__": doc_of(facts),
        "__module__": __name__,
        "__signature__": inspect.Signature(arguments),
        "type_name": facts["name"],
        "_keys": keys,
    }
    return type(name, (CatalogBlock,), members)


#: What the catalog says of each block type.
CATALOG: List[Dict[str, Any]] = _kinegraph.block_types()
#: The classes by block type.
TYPES: Dict[str, type] = {facts["name"]: _make(facts) for facts in CATALOG}

for _class in TYPES.values():
    globals()[_class.__name__] = _class
    __all__.append(_class.__name__)
del _class
