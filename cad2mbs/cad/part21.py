"""STEP files as text: a small, tolerant scanner of the Part 21 form.

The CAD kernel reads the geometry; what it drops, renames or gets wrong is looked up here. Nothing
is checked against a schema: what cannot be read is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.wording import shown_path

START = b"ISO-10303-21"
END = b"END-ISO-10303-21"
DEEPEST = 50  # brackets within brackets in one entity
LONGEST = 1 << 16  # bytes of an entity that is looked up by its keyword

# A line that starts with #number= starts an entity, also where the one before has no end. What is
# scanned for one entity is skipped when the next is searched: the time is linear in the file.
_NEWLINE = rb"\n(?![ \t]*#\d{1,18}[ \t]*=)"
_STRING = rb"'(?:[^'\n]|''|" + _NEWLINE + rb")*'"
_COMMENT = rb"/\*(?:[^*\n]|\*(?!/)|" + _NEWLINE + rb")*(?:\*/)?"
_STATEMENT = re.compile(
    rb"(?:[^';/\n]+|" + _NEWLINE + rb"|" + _STRING + rb"|" + _COMMENT + rb"|/)*"
)
_NUMBERED = re.compile(rb"#(\d{1,18})\s*=")
_TOKEN = re.compile(
    rb"(?P<text>" + _STRING + rb")|(?P<ref>#\d{1,18})|(?P<word>[A-Z_][A-Z_0-9]*)"
    rb"|\.(?P<enum>[A-Z_0-9]+)\.|(?P<number>[+-]?[\d.][\d.]*(?:E[+-]?\d+)?)|(?P<mark>[(),$*])",
    re.IGNORECASE,
)
_ESCAPE = re.compile(
    r"\\X2\\((?:[0-9A-F]{4})*)\\X0\\|\\X4\\((?:[0-9A-F]{8})*)\\X0\\|\\X\\([0-9A-F]{2})"
    r"|\\S\\(.)|\\(\\)|\\P[A-I]\\|\\N\\",
    re.IGNORECASE,
)
_KANA = re.compile("[\u3041-\u30fa]")
_JOINED = re.compile("[^\\x00-\\x7f\uff61-\uff9f]{2,}")  # two bytes each: no half-width kana
_LONE = re.compile(rb"(?<=[A-Za-z])[\x80-\xff](?=[A-Za-z])")
_SCHEMAS = {
    "CONFIG_CONTROL_DESIGN": "AP203",
    "AP203_": "AP203",
    "AUTOMOTIVE_DESIGN": "AP214",
    "AP214_": "AP214",
    "AP242_": "AP242",
}


@dataclass(frozen=True)
class Ref:
    """A reference to another entity, #number."""

    number: int


@dataclass(frozen=True)
class Enum:
    """A value between dots, like .T. or .MILLI."""

    word: str


@dataclass(frozen=True)
class Typed:
    """A keyword with arguments: an entity, or one of the values within."""

    word: str
    args: list


class Part21:
    """The text of one STEP file, entities found on demand."""

    def __init__(self, data: bytes):
        self.data = data

    @cached_property
    def encoding(self) -> str:
        """The Python name of the encoding of strings: utf-8, gbk, cp932 or latin-1."""
        return encoding_of(self.data)

    @cached_property
    def schema(self) -> str:
        """AP203, AP214, AP242 or the first word the file states; "" where it states none."""
        found = re.search(rb"FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'", self.data[:100_000])
        if found is None:
            return ""
        stated = found.group(1).decode("latin-1").strip().upper()
        for start, name in _SCHEMAS.items():
            if stated.startswith(start):
                return name
        return stated.split(" ")[0][:60]

    @property
    def complete(self) -> bool:
        """Whether the closing line is there."""
        return END in self.data[-4096:]

    def count(self, keyword: str) -> int:
        """How many entities (or parts of combined ones) have this keyword."""
        return len(re.findall(rb"\b" + keyword.encode() + rb"\s*\(", self.data))

    def all(self, keyword: str) -> Iterator[tuple[int, Typed]]:
        """Number and arguments of every simple entity of this keyword, in file order."""
        end = 0
        for found in re.finditer(rb"#(\d{1,18})\s*=\s*" + keyword.encode() + rb"\s*\(", self.data):
            if found.start() < end:  # within the entity before
                continue
            statement = self._statement(found.start(), LONGEST)
            end = found.start() + len(statement)
            entity = self._values(statement)
            if entity:
                yield int(found.group(1)), entity[0]

    def combined(self, keyword: str) -> Iterator[tuple[int, list[Typed]]]:
        """Number and parts of every combined entity #n=(A(..)B(..)) that has this part."""
        for found in re.finditer(rb"\b" + keyword.encode() + rb"\s*\(", self.data):
            start = self.data.rfind(b"=", max(0, found.start() - 2000), found.start())
            number = re.search(rb"#(\d{1,18})\s*$", self.data[max(0, start - 30) : max(start, 0)])
            if start < 0 or number is None:
                continue
            entity = self._values(self._statement(max(0, start - 30) + number.start()))
            if len(entity) > 1:
                yield int(number.group(1)), entity

    def entity(self, ref: object) -> list[Typed]:
        """The parts of the entity a reference points at; empty where there is none."""
        if not isinstance(ref, Ref) or ref.number not in self._places:
            return []
        return self._values(self._statement(self._places[ref.number]))

    def part(self, ref: object, keyword: str) -> list | None:
        """The arguments of one part of the entity a reference points at."""
        return next((t.args for t in self.entity(ref) if t.word == keyword), None)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {int(m.group(1)): m.start() for m in _NUMBERED.finditer(self.data)}

    def _statement(self, start: int, longest: int | None = None) -> bytes:
        end = len(self.data) if longest is None else start + longest
        found = _STATEMENT.match(self.data, start, end)
        return found.group(0) if found else b""

    def _values(self, statement: bytes) -> list[Typed]:
        try:
            values = _Values(statement.partition(b"=")[2], self.encoding).read_all()
        except _Unreadable:
            return []
        if len(values) == 1 and isinstance(values[0], list):  # a combined entity
            values = values[0]
        return [v for v in values if isinstance(v, Typed)]


class _Unreadable(Exception):
    pass


class _Values:
    """Reads values between commas and brackets."""

    def __init__(self, body: bytes, encoding: str):
        self.tokens = _TOKEN.finditer(body)
        self.encoding = encoding

    def read_all(self) -> list:
        return self._read(0, closing=False)

    def _read(self, depth: int, closing: bool = True) -> list:
        if depth > DEEPEST:
            raise _Unreadable
        out: list = []
        for token in self.tokens:
            kind, text = token.lastgroup, token.group()
            if text == b")":
                return out
            if text == b"(":
                inner = self._read(depth + 1)
                if out and isinstance(out[-1], str) and type(out[-1]) is _Word:
                    out[-1] = Typed(str(out[-1]), inner)
                else:
                    out.append(inner)
            elif kind != "mark":
                out.append(self._value(kind, text))
            elif text in b"$*":
                out.append(None)
        if closing:
            raise _Unreadable
        return out

    def _value(self, kind: str | None, text: bytes) -> object:
        if kind == "text":
            return decoded(text[1:-1].replace(b"''", b"'"), self.encoding)
        if kind == "ref":
            return Ref(int(text[1:]))
        if kind == "enum":
            return Enum(text.strip(b".").decode().upper())
        if kind == "word":
            return _Word(text.decode().upper())
        try:
            return float(text)
        except ValueError:
            raise _Unreadable from None


class _Word(str):
    """A keyword whose bracket has not come yet."""

    __slots__ = ()


def decoded(raw: bytes, encoding: str) -> str:
    """The text of a Part 21 string: line breaks taken out, escapes and bytes made characters."""
    text = raw.replace(b"\r", b"").replace(b"\n", b"").decode(encoding, "replace")
    return _ESCAPE.sub(_unescaped, text)


def _unescaped(found: re.Match[str]) -> str:
    two, four, one, shifted, backslash = found.groups()
    if two is not None:
        return bytes.fromhex(two).decode("utf-16-be", "replace")
    if four is not None:
        return bytes.fromhex(four).decode("utf-32-be", "replace")
    if one is not None:
        return chr(int(one, 16))
    if shifted is not None:
        return chr(min(ord(shifted) + 128, 255))
    return backslash or ""


def encoding_of(data: bytes) -> str:
    """The encoding the strings of a file are most likely written in.

    Part 21 wants ASCII with escapes; many systems write their own code page. Bytes that are valid
    UTF-8 hardly ever mean anything else; after that it is what is common in each language.
    """
    if data.isascii():
        return "utf-8"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        strings = b"\n".join(s for s in re.findall(_STRING, data) if not s.isascii())
    else:
        return "utf-8"
    if _mostly(strings, "gb2312", lambda c: 0xB0 <= c.encode("gb2312")[0] <= 0xD7):
        return "gbk"
    if _mostly(strings, "cp932", lambda c: "\u3040" <= c <= "\u9fff", _KANA):
        return "cp932"
    return "latin-1"


def _mostly(strings: bytes, encoding: str, common, certain: re.Pattern[str] | None = None) -> bool:
    """Whether the bytes are text of this encoding: more than half of it are common characters.

    A Latin-1 letter and the ASCII letter after it may look like one character of two bytes. So
    more than half have to be next to each other and not one high byte between two letters, unless
    a character is there that nothing else looks like.
    """
    try:
        text = strings.decode(encoding)
    except UnicodeDecodeError:
        return False
    if certain and certain.search(text):
        return True
    signs = [c for c in text if ord(c) > 127]
    joined = sum(map(len, _JOINED.findall(text))) - len(_LONE.findall(strings))
    return min(sum(map(common, signs)), joined) * 2 > len(signs)


def read_text(path: Path) -> Part21:
    """The text of a STEP file; InputError where it is none."""
    where = shown_path(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise _refused(where, "no such file; check the name") from None
    except OSError as error:
        raise _refused(where, f"cannot be read: {error.strerror}") from None
    if not data.strip():
        raise _refused(where, "the file is empty; a STEP file was wanted. Export it again")
    if data[:2] in (b"PK", b"\x1f\x8b"):
        raise _refused(where, "a packed file; a plain STEP file was wanted. Unpack it first")
    if START not in data[:4096]:
        raise _refused(
            where,
            "not a STEP file: the first line should be 'ISO-10303-21;'. "
            "Export the assembly as STEP (AP203, AP214 or AP242)",
        )
    if re.search(rb"\bDATA\b", data) is None:
        raise _refused(where, "the STEP file has no DATA section: it ends too early. Copy it again")
    return Part21(data)


def _refused(where: str, message: str) -> InputError:
    return InputError([Diagnostic(message + ".", where)])
