"""The text of a STEP file made the same for the same model: no time, machine or running counter."""

from __future__ import annotations

import re
from itertools import count

TIME = "2000-01-01T00:00:00"  # of every file: one that told the hour would differ each time
MAKER = "cad2mbs"
STAND_IN = "name-of-thing-"
COLOUR_DIGITS = 6  # the kernel keeps colours in single precision, further digits are noise

_HEADER = re.compile(r"FILE_DESCRIPTION\(.*?FILE_SCHEMA", re.DOTALL)
_USE = re.compile(r"NEXT_ASSEMBLY_USAGE_OCCURRENCE\(\s*'[^']*'([^)]*)\)")
_BREAK = re.compile(r"\s*\n\s*")
_COLOUR = re.compile(r"(COLOUR_RGB\(\s*'(?:[^']|'')*'\s*),([^()]*)\)")
_STYLES = re.compile(r"^#(\d+) = MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRES", re.MULTILINE)
_ENTITY = re.compile(r"^#(\d+) = (.*?);\n(?=#\d+ = |ENDSEC;)", re.DOTALL | re.MULTILINE)
_REF = re.compile(r"#(\d+)")
_MASS_POWER = re.compile(r"(DERIVED_UNIT_ELEMENT\(#\d+,)3\.\)")
_LENGTH_POWER = re.compile(r"(DERIVED_UNIT_ELEMENT\(#\d+,)2\.\)")
_STAND_IN = re.compile(rf"{STAND_IN}(\d{{8}})")
_SPECIAL = re.compile(r"['\\]|[\x00-\x1f\x7f]+|[\x80-\uffff]+|[\U00010000-\U0010ffff]+")


class Names:
    """Stand-ins for the names of a model while the kernel writes it.

    The kernel breaks long strings anywhere, also within a character, and leaves backslashes and
    control characters as they are; so it gets short plain words and the names come in after.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []

    def stand_in(self, text: str) -> str:
        self.texts.append(text)
        return f"{STAND_IN}{len(self.texts) - 1:08}"

    def restored(self, text: str) -> str:
        return _STAND_IN.sub(lambda found: encoded(self.texts[int(found[1])]), text)


def settled(raw: bytes, title: str, names: Names) -> bytes:
    """The kernel's text with a fixed header, its names, uses numbered from 1, styles in order."""
    text = raw.decode("ascii")
    text = _HEADER.sub(lambda _: _header(title), text, count=1)
    numbers = count(1)
    text = _USE.sub(lambda found: _use(next(numbers), found[1]), text)
    text = _COLOUR.sub(_rounded, text)
    # The kernel means g/cm^3 for densities and writes g^3 cm^2.
    text = _LENGTH_POWER.sub(r"\1-3.)", _MASS_POWER.sub(r"\g<1>1.)", text))
    return names.restored(_ordered_styles(text)).encode("ascii")


def encoded(text: str) -> str:
    """The text as it stands between the quotes of a Part 21 string: ASCII alone.

    Characters beyond it become the \\X2\\ form (\\X4\\ beyond the first plane), which every reader
    knows, while raw UTF-8 is taken for something else by older ones.
    """
    return _SPECIAL.sub(lambda found: _coded(found[0]), text)


def _ordered_styles(text: str) -> str:
    """The text with its styles, which the kernel writes last and in no order, put into one."""
    begin, end = _STYLES.search(text), text.rfind("ENDSEC;")
    if begin is None:
        return text
    first = int(begin[1])
    tail = text[begin.start() : end]
    found = [(int(m[1]), _BREAK.sub("", m[2])) for m in _ENTITY.finditer(tail + "ENDSEC;")]
    if [number for number, _ in found] != list(range(first, first + len(found))):
        raise AssertionError("the kernel writes styles in a way that is not known here")
    lines = _Styles(dict(found), first).lines()
    return text[: begin.start()] + "".join(lines) + text[end:]


class _Styles:
    """Entities at the end of a file, renumbered in an order that their content alone decides."""

    def __init__(self, bodies: dict[int, str], first: int):
        self.bodies = bodies
        self.next = first
        self.contents: dict[int, str] = {}
        self.new: dict[int, int] = {}
        self.colours: dict[str, int] = {}  # content -> new number
        self.out: list[tuple[int, str]] = []

    def lines(self) -> list[str]:
        roots = [n for n, body in self.bodies.items() if body.startswith("MECHANICAL_DESIGN")]
        for root in sorted(roots, key=self.content):
            self.place(root)
        return [f"#{number} = {body};\n" for number, body in sorted(self.out)]

    def content(self, number: int) -> str:
        """An entity with all it refers to in this part of the file, free of their numbers."""
        if number not in self.bodies:
            return f"#{number:09}"
        if number not in self.contents:
            body = self.bodies[number]
            head, _, inner = body.partition("(")
            parts = [self.content(n) for n in self.refs(number)]
            self.contents[number] = f"{head}({_REF.sub('#', inner)}[{' '.join(parts)}]"
        return self.contents[number]

    def refs(self, number: int) -> list[int]:
        """What an entity refers to; the list of styles of a representation in its order."""
        found = [int(n) for n in _REF.findall(self.bodies[number])]
        if self.bodies[number].startswith("MECHANICAL_DESIGN"):
            *styles, context = found
            # The context comes first in the comparison: it stands for the part.
            return [context, *sorted(styles, key=self.content)]
        return found

    def place(self, number: int) -> int:
        """The new number of an entity, written with all it refers to."""
        if number not in self.bodies:
            return number
        if number in self.new:
            return self.new[number]
        content = self.content(number)
        if content in self.colours:
            return self.colours[content]
        given, self.next = self.next, self.next + 1
        self.new[number] = given
        body = self.bodies[number]
        if body.startswith(("COLOUR_RGB", "DRAUGHTING_PRE_DEFINED_COLOUR")):
            self.colours[content] = given
        if body.startswith("MECHANICAL_DESIGN"):
            context, *styles = self.refs(number)
            listed = ",".join(f"#{self.place(style)}" for style in styles)
            head = body.partition("(")[0]
            self.out.append((given, f"{head}('',({listed}),#{context})"))
        else:
            placed = _REF.sub(lambda found: f"#{self.place(int(found[1]))}", body)
            self.out.append((given, placed))
        return given


def _use(number: int, rest: str) -> str:
    # On one line: where the kernel breaks it depends on the digits of its counter.
    return f"NEXT_ASSEMBLY_USAGE_OCCURRENCE('{number}'{_BREAK.sub('', rest)})"


def _header(title: str) -> str:
    return (
        "FILE_DESCRIPTION((''),'2;1');\n"
        f"FILE_NAME('{encoded(title)}','{TIME}',(''),(''),'{MAKER}','{MAKER}','');\n"
        "FILE_SCHEMA"
    )


def _rounded(found: re.Match[str]) -> str:
    values = (round(float(v), COLOUR_DIGITS) for v in found[2].split(","))
    # Part 21 wants a point in every real number.
    texts = (f"{v:.{COLOUR_DIGITS}f}".rstrip("0") for v in values)
    return f"{found[1]},{','.join(texts)})"


def _coded(run: str) -> str:
    """A run of characters of one sort in their coded form."""
    first = ord(run[0])
    if run[0] in "'\\":
        return run * 2
    if first < 0x80:
        return "".join(f"\\X\\{ord(c):02X}" for c in run)
    if first > 0xFFFF:
        return "\\X4\\" + "".join(f"{ord(c):08X}" for c in run) + "\\X0\\"
    return "\\X2\\" + "".join(f"{ord(c):04X}" for c in run) + "\\X0\\"
