"""Formulas of time as text, with exact first and second derivatives.

The grammar, loosest binding first; every operator is left-associative except `^`:

    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/") signed }
    signed  = { "+" | "-" } power
    power   = atom [ ("^" | "**") signed ]          so -t^2 is -(t^2) and 2^-1 is 0.5
    atom    = number | time | pi | function "(" sum { "," sum } ")" | "(" sum ")"

A number may end in `d` or carry a `d` exponent (`2.0d`, `1.0d-9`); `<n>` is a line break inside
the text and reads as a blank. Nothing is ever handed to the interpreter.

Derivatives come from truncated Taylor arithmetic: each node carries (f, f', f'') and every rule
below is the chain rule, so there is no step size and no rounding beyond that of f itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cad2mbs.errors import Diagnostic, InputError

# Recursion costs about six Python frames a level; the interpreter's limit is 1000.
MAX_DEPTH = 60
MAX_LENGTH = 10_000

Value = float | np.ndarray


class Jet(NamedTuple):
    """A quantity with its first and second derivative in time."""

    f: Value
    d: Value
    dd: Value


def _chain(u: Jet, f: Value, f1: Value, f2: Value) -> Jet:
    """f(u(t)), given f, df/du, d2f/du2 at u."""
    return Jet(f, f1 * u.d, f2 * u.d * u.d + f1 * u.dd)


def _constant(value: float) -> Jet:
    return Jet(np.float64(value), np.float64(0.0), np.float64(0.0))


def _add(u: Jet, v: Jet) -> Jet:
    return Jet(u.f + v.f, u.d + v.d, u.dd + v.dd)


def _negative(u: Jet) -> Jet:
    return Jet(-u.f, -u.d, -u.dd)


def _subtract(u: Jet, v: Jet) -> Jet:
    return _add(u, _negative(v))


def _multiply(u: Jet, v: Jet) -> Jet:
    return Jet(u.f * v.f, u.d * v.f + u.f * v.d, u.dd * v.f + 2 * u.d * v.d + u.f * v.dd)


def _divide(u: Jet, v: Jet) -> Jet:
    q = u.f / v.f
    dq = (u.d - q * v.d) / v.f
    return Jet(q, dq, (u.dd - 2 * dq * v.d - q * v.dd) / v.f)


def _power(u: Jet, v: Jet) -> Jet:
    """u^v; a number as exponent follows the power rule, so that it holds for u <= 0 as well."""
    if np.ndim(v.f) == 0 and not np.any(v.d) and not np.any(v.dd):
        n = float(v.f)
        # Where a factor n or n-1 is zero its term is zero too, although u^(n-1) may be infinite.
        f1 = n * np.power(u.f, n - 1) if n != 0 else np.zeros_like(u.f)
        f2 = n * (n - 1) * np.power(u.f, n - 2) if n not in (0.0, 1.0) else np.zeros_like(u.f)
        return _chain(u, np.power(u.f, n), f1, f2)
    return _exp(_multiply(v, _ln(u)))


def _sin(u: Jet) -> Jet:
    s, c = np.sin(u.f), np.cos(u.f)
    return _chain(u, s, c, -s)


def _cos(u: Jet) -> Jet:
    s, c = np.sin(u.f), np.cos(u.f)
    return _chain(u, c, -s, -c)


def _tan(u: Jet) -> Jet:
    f = np.tan(u.f)
    f1 = 1 + f * f
    return _chain(u, f, f1, 2 * f * f1)


def _asin(u: Jet) -> Jet:
    f1 = 1 / np.sqrt(1 - u.f * u.f)
    return _chain(u, np.arcsin(u.f), f1, u.f * f1**3)


def _acos(u: Jet) -> Jet:
    f1 = -1 / np.sqrt(1 - u.f * u.f)
    return _chain(u, np.arccos(u.f), f1, u.f * f1**3)


def _atan(u: Jet) -> Jet:
    f1 = 1 / (1 + u.f * u.f)
    return _chain(u, np.arctan(u.f), f1, -2 * u.f * f1 * f1)


def _atan2(y: Jet, x: Jet) -> Jet:
    """The angle of the arrow (x, y); its rate is (x y' - y x') / (x^2 + y^2)."""
    r2 = x.f * x.f + y.f * y.f
    turn = x.f * y.d - y.f * x.d
    d = turn / r2
    dd = (x.f * y.dd - y.f * x.dd) / r2 - d * 2 * (x.f * x.d + y.f * y.d) / r2
    return Jet(np.arctan2(y.f, x.f), d, dd)


def _sinh(u: Jet) -> Jet:
    s, c = np.sinh(u.f), np.cosh(u.f)
    return _chain(u, s, c, s)


def _cosh(u: Jet) -> Jet:
    s, c = np.sinh(u.f), np.cosh(u.f)
    return _chain(u, c, s, c)


def _tanh(u: Jet) -> Jet:
    f = np.tanh(u.f)
    f1 = 1 - f * f
    return _chain(u, f, f1, -2 * f * f1)


def _sqrt(u: Jet) -> Jet:
    f = np.sqrt(u.f)
    return _chain(u, f, 0.5 / f, -0.25 / (f * u.f))


def _exp(u: Jet) -> Jet:
    f = np.exp(u.f)
    return _chain(u, f, f, f)


def _ln(u: Jet) -> Jet:
    return _chain(u, np.log(u.f), 1 / u.f, -1 / (u.f * u.f))


def _log10(u: Jet) -> Jet:
    return _multiply(_ln(u), _constant(1 / math.log(10)))


def _abs(u: Jet) -> Jet:
    return _chain(u, np.abs(u.f), np.sign(u.f), np.zeros_like(u.f))


@dataclass(frozen=True)
class _Function:
    arguments: int
    rule: Callable[..., Jet]


FUNCTIONS: dict[str, _Function] = {
    "sin": _Function(1, _sin),
    "cos": _Function(1, _cos),
    "tan": _Function(1, _tan),
    "asin": _Function(1, _asin),
    "arcsin": _Function(1, _asin),
    "acos": _Function(1, _acos),
    "arccos": _Function(1, _acos),
    "atan": _Function(1, _atan),
    "arctan": _Function(1, _atan),
    "atan2": _Function(2, _atan2),
    "sinh": _Function(1, _sinh),
    "cosh": _Function(1, _cosh),
    "tanh": _Function(1, _tanh),
    "sqrt": _Function(1, _sqrt),
    "exp": _Function(1, _exp),
    "ln": _Function(1, _ln),
    "log": _Function(1, _ln),
    "log10": _Function(1, _log10),
    "abs": _Function(1, _abs),
}
TIME_NAMES = ("time", "t")

_BINARY: dict[str, Callable[[Jet, Jet], Jet]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "^": _power,
}

# The program of an expression, in the order a stack machine takes it: a number is pushed, None
# pushes the time, a rule takes its arguments off the stack and pushes its result. Flat, so that
# long sums cost no recursion.
_Step = float | None | tuple[int, Callable[..., Jet]]


@dataclass(frozen=True)
class Expression:
    """A formula of time [s]; t may be a number or an array, the answer has its shape.

    Where the formula is not defined (the root of a negative number, division by zero) the answer
    is nan or infinite.
    """

    text: str
    program: tuple[_Step, ...]

    @property
    def is_constant(self) -> bool:
        """Whether time does not occur in it."""
        return None not in self.program

    def value(self, t: float | np.ndarray) -> Value:
        return self._shaped(self._jet(t).f, t)

    def rate(self, t: float | np.ndarray) -> Value:
        """The first derivative in time, exact."""
        return self._shaped(self._jet(t).d, t)

    def acceleration(self, t: float | np.ndarray) -> Value:
        """The second derivative in time, exact."""
        return self._shaped(self._jet(t).dd, t)

    def _jet(self, t: float | np.ndarray) -> Jet:
        time = np.asarray(t, dtype=float)
        now = Jet(time, np.ones_like(time), np.zeros_like(time))
        stack: list[Jet] = []
        # Out of its domain a formula answers nan; that is the documented answer, not a warning.
        with np.errstate(all="ignore"):
            for step in self.program:
                if step is None:
                    stack.append(now)
                elif isinstance(step, tuple):
                    count, rule = step
                    arguments = stack[-count:]
                    del stack[-count:]
                    stack.append(rule(*arguments))
                else:
                    stack.append(_constant(step))
        return stack.pop()

    @staticmethod
    def _shaped(value: Value, t: float | np.ndarray) -> Value:
        full = np.broadcast_to(value, np.shape(t)).astype(float)
        return full if full.ndim else float(full)


class _Token(NamedTuple):
    kind: str  # "number", "word", "operator" or "end"
    text: str
    at: int  # character position, from 0


_TOKEN = re.compile(
    r"(?P<blank>(?:\s|<n>)+)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+|[dD](?:[+-]?\d+)?)?)"
    r"|(?P<word>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<operator>\*\*|[-+*/^(),])",
    re.ASCII,
)


def parse(text: str, file: str = "", line: int | None = None) -> Expression:
    """The expression that `text` says, or an `InputError` with the place and what was expected.

    `file` and `line` only tell the message where the text stood.
    """
    return _Parser(text, file, line).parse()


class _Parser:
    """Recursive descent over the tokens; writes the program as it goes."""

    def __init__(self, text: str, file: str, line: int | None):
        self.text, self.file, self.line = text, file, line
        self.program: list[_Step] = []
        self.depth = 0
        if len(text) > MAX_LENGTH:
            raise self._error(f"is {len(text)} characters long; at most {MAX_LENGTH} are read", 0)
        self.tokens = self._tokens()
        self.next = 0

    def parse(self) -> Expression:
        self._sum()
        token = self._peek()
        if token.kind != "end":
            raise self._wanted("an operator (+ - * / ^) or the end", token)
        return Expression(self.text.strip(), tuple(self.program))

    def _tokens(self) -> list[_Token]:
        tokens, at = [], 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None or match.lastgroup is None:
                wanted = "a number, a name, an operator or a parenthesis"
                raise self._error(f"has {self.text[at]!r} where {wanted} was expected", at)
            if match.lastgroup != "blank":
                tokens.append(_Token(match.lastgroup, match.group(), at))
            at = match.end()
        return [*tokens, _Token("end", "", len(self.text))]

    def _peek(self) -> _Token:
        return self.tokens[self.next]

    def _take(self) -> _Token:
        token = self.tokens[self.next]
        self.next += token.kind != "end"
        return token

    def _accept(self, *operators: str) -> _Token | None:
        token = self._peek()
        return self._take() if token.kind == "operator" and token.text in operators else None

    def _sum(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            at = self._peek().at
            raise self._error(f"is nested more than {MAX_DEPTH} deep; write it flatter", at)
        self._product()
        while operator := self._accept("+", "-"):
            self._product()
            self.program.append((2, _BINARY[operator.text]))
        self.depth -= 1

    def _product(self) -> None:
        self._signed()
        while operator := self._accept("*", "/"):
            self._signed()
            self.program.append((2, _BINARY[operator.text]))

    def _signed(self) -> None:
        negative = False
        while sign := self._accept("+", "-"):
            negative ^= sign.text == "-"
        self._power()
        if negative:
            self.program.append((1, _negative))

    def _power(self) -> None:
        self._atom()
        if self._accept("^", "**"):
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise self._error(f"has more than {MAX_DEPTH} powers in a row", self._peek().at)
            self._signed()
            self.depth -= 1
            self.program.append((2, _power))

    def _atom(self) -> None:
        token = self._take()
        if token.kind == "number":
            self.program.append(self._number(token))
        elif token.kind == "word":
            self._name(token)
        elif token.kind == "operator" and token.text == "(":
            self._sum()
            self._close(token)
        else:
            raise self._wanted("a number, time, pi, a function or (", token)

    def _number(self, token: _Token) -> float:
        value = parse_number(token.text)
        if value is None:
            raise self._error(f"has the number {token.text!r}, which is too large", token.at)
        return value

    def _name(self, token: _Token) -> None:
        if token.text in TIME_NAMES:
            self.program.append(None)
        elif token.text == "pi":
            self.program.append(math.pi)
        elif token.text in FUNCTIONS:
            self._call(token)
        else:
            known = f"time (or t), pi, {', '.join(FUNCTIONS)}"
            raise self._error(f"has the unknown name {token.text!r}; known: {known}", token.at)

    def _call(self, name: _Token) -> None:
        function = FUNCTIONS[name.text]
        opening = self._accept("(")
        if opening is None:
            raise self._wanted(f"( after {name.text}", self._peek())
        count = 1
        self._sum()
        while self._accept(","):
            self._sum()
            count += 1
        self._close(opening)
        if count != function.arguments:
            found = f"gives {name.text} {count} argument{'s' if count > 1 else ''}"
            raise self._error(f"{found}; it takes {function.arguments}", name.at)
        self.program.append((count, function.rule))

    def _close(self, opening: _Token) -> None:
        if self._accept(")") is None:
            wanted = f"an operator or the ) for the ( at character {opening.at + 1}"
            raise self._wanted(wanted, self._peek())

    def _wanted(self, wanted: str, token: _Token) -> InputError:
        found = "ends" if token.kind == "end" else f"has {token.text!r}"
        return self._error(f"{found} where {wanted} was expected", token.at)

    def _error(self, problem: str, at: int) -> InputError:
        shown = self.text.strip() if len(self.text) <= 80 else self.text[:77].strip() + "..."
        message = f"expression {shown!r} {problem} (character {at + 1})"
        return InputError([Diagnostic(message, self.file, self.line)])


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+|[dD](?:[+-]?\d+)?)?", re.ASCII)


def parse_number(text: str) -> float | None:
    """The number that `text` writes, also as `2.0d` or `1.0d-9`; None: no finite number."""
    if not _NUMBER.fullmatch(text):
        return None
    plain = text.lower().replace("d", "e")
    value = float(plain[:-1] if plain.endswith("e") else plain)
    return value if math.isfinite(value) else None
