"""YAML as diagram files need it: a reader for what the program prints of itself, and a writer of small files."""

import re

PLAIN = re.compile(r"^[A-Za-z_][A-Za-z0-9_./-]*$")
RESERVED = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


def written(value):
    """`value` in one line of YAML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(k)}: {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        text = repr(value)
        return text.replace("e", ".0e") if "e" in text and "." not in text else text
    if isinstance(value, str):
        plain = PLAIN.match(value) and value.lower() not in RESERVED
        return value if plain else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def scalar(text):
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def flow(text, at=0):
    """A value in flow style that begins at `at`, and where it ends."""
    while at < len(text) and text[at] in " \n":
        at += 1
    if text[at] == "[":
        items, at = [], at + 1
        while True:
            while text[at] in " ,\n":
                at += 1
            if text[at] == "]":
                return items, at + 1
            item, at = flow(text, at)
            items.append(item)
    if text[at] == "{":
        items, at = {}, at + 1
        while True:
            while text[at] in " ,\n":
                at += 1
            if text[at] == "}":
                return items, at + 1
            end = text.index(":", at)
            items[scalar(text[at:end])], at = flow(text, end + 1)
    if text[at] in "\"'":
        end = text.index(text[at], at + 1) + 1
        return scalar(text[at:end]), end
    end = at
    while end < len(text) and text[end] not in ",]}\n":
        end += 1
    return scalar(text[at:end]), end


def block(lines, indent=0):
    """Maps in block style whose values are maps or flow values, from `lines`."""
    result = {}
    while lines:
        line = lines[0]
        depth = len(line) - len(line.lstrip())
        if depth < indent or not line.strip():
            break
        lines.pop(0)
        key, rest = line.strip().split(":", 1)
        if rest.strip():
            result[scalar(key)] = flow(rest)[0]
        else:
            inner = len(lines[0]) - len(lines[0].lstrip())
            result[scalar(key)] = block(lines, inner)
    return result
