"""What the program declares: block types with their ports, parameters and examples, and integrators."""

import hashlib
import re
import subprocess
from dataclasses import dataclass, field

import text


@dataclass
class Parameter:
    name: str
    meaning: str
    kind: str
    default: str

    @property
    def required(self):
        return self.default == "required"


@dataclass
class Port:
    name: str
    kind: str
    width: int
    optional: bool = False


@dataclass
class Block:
    type: str
    group: str
    parameters: dict = field(default_factory=dict)
    inputs: list = field(default_factory=list)
    outputs: list = field(default_factory=list)
    example: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)
    example_wires: list = field(default_factory=list)


def printed(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def blocks(program):
    """All block types, read from `kinegraph systems` and `kinegraph systems NAME`."""
    found, group = {}, ""
    for line in printed(program, "systems").splitlines():
        if line.endswith(":") and not line.startswith(" "):
            group = line[:-1]
        elif line.startswith("  ") and line.strip():
            kind = line.split()[0]
            found[kind] = described(printed(program, "systems", kind), Block(kind, group))
    return found


def described(page, found):
    part, parameter, lines = "", None, page.splitlines()
    while lines:
        line = lines.pop(0)
        if line and not line.startswith(" "):
            part = line.split()[0].rstrip(":")
            if part == "example":
                body = []
                while lines and (lines[0].startswith(" ") or not lines[0].strip()):
                    body.append(lines.pop(0))
                read_example(found, body)
            elif re.match(r"^\S+\.\w+:$", line):
                body = []
                while lines and (lines[0].startswith(" ") or not lines[0].strip()):
                    body.append(lines.pop(0)[2:])
                found.files[line[:-1]] = "\n".join(body)
        elif part == "ports":
            port = re.match(r"^  (in |out) ?(\S+)\s+(.*?) \[(\d+)\]( \(optional\))?", line)
            if port:
                way, name, kind, width, optional = port.groups()
                ports = found.inputs if way.strip() == "in" else found.outputs
                ports.append(Port(name, kind.strip(), int(width), bool(optional)))
        elif part == "parameters" and line.strip():
            head = re.match(r"^  (\w+)\s+(.*)$", line)
            if head and not line.startswith("   "):
                name, meaning = head.groups()
                default = re.search(r"\((?:default: )?([^()]*)\)$", meaning)
                parameter = Parameter(name, meaning, "", default.group(1) if default else "")
                found.parameters[name] = parameter
            elif parameter:
                parameter.kind = line.strip().split("; live")[0]
    return found


def read_example(found, lines):
    body = [line[2:] for line in lines if line.strip()]
    try:
        tree = text.block(body)
        found.example = tree.get("systems", {})
    except (ValueError, IndexError):
        found.example = {}


def integrators(program):
    """Integrators by name, with the keys that each reads and whether it keeps an accuracy."""
    found, name = {}, None
    for line in printed(program, "integrators").splitlines():
        if not line.startswith(" "):
            name = line.split(":")[0]
            found[name] = {"steps": "", "reads": []}
        elif line.strip().startswith("steps"):
            found[name]["steps"] = line.strip()
        elif line.strip().startswith("reads"):
            found[name]["reads"] = line.strip()[6:].split(", ")
    return found


@dataclass
class Catalog:
    blocks: dict
    integrators: dict

    @classmethod
    def read(cls, program):
        return cls(blocks(program), integrators(program))


def pick(rng, weights):
    """One of the names in `weights`, drawn so that a new name changes only the draws that it wins itself."""
    slot, best, chosen = rng.getrandbits(64), -1.0, None
    for name, weight in weights.items():
        if weight <= 0:
            continue
        digest = hashlib.blake2b(f"{slot}/{name}".encode(), digest_size=8).digest()
        part = (int.from_bytes(digest, "big") + 1) / (2**64 + 1)
        score = part ** (1 / weight)
        if score > best:
            best, chosen = score, name
    return chosen
