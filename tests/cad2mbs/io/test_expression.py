"""Formulas of time: what they mean, their exact derivatives, and what is said about wrong ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cad2mbs.errors import InputError
from cad2mbs.io.expression import FUNCTIONS, MAX_DEPTH, parse, parse_number

EPS = np.finfo(float).eps


@pytest.mark.parametrize(
    ("text", "t", "value"),
    [
        ("2.0d*pi*time", 0.25, math.pi / 2),
        ("(0 + 70*sin((360*time - 0)*pi/180.0d))*pi/180.0d", 0.25, math.radians(70)),
        ("1.0e-9 + 1.0d-9", 0.0, 2e-9),
        ("-t^2", 3.0, -9.0),
        ("(-t)^2", 3.0, 9.0),
        ("2^3^2", 0.0, 512.0),
        ("2**-1", 0.0, 0.5),
        ("8/4/2", 0.0, 1.0),
        ("8-4-2", 0.0, 2.0),
        ("--t", 2.0, 2.0),
        ("+t - -1", 2.0, 3.0),
        ("atan2(-1, -1)", 0.0, -0.75 * math.pi),
        ("log10(1000) + ln(exp(2))", 0.0, 5.0),
        ("2*<n>time", 4.0, 8.0),
        (".5 + 5.", 0.0, 5.5),
    ],
)
def test_a_formula_means_what_a_book_would_say(text, t, value):
    assert parse(text).value(t) == pytest.approx(value, abs=0, rel=4 * EPS)


# Each function with an argument that keeps it inside its domain and away from its kinks.
SMOOTH = [
    "sin(3*t+1)", "cos(t^2)", "tan(t/2)", "asin(t/3)", "arcsin(t/3)", "acos(t/4)", "arccos(t/4)",
    "atan(t^3)", "arctan(2*t)", "atan2(sin(t), 2+cos(3*t))", "sinh(t)", "cosh(t)", "tanh(t)",
    "sqrt(1+t^2)", "exp(-t*t)", "ln(2+t)", "log(2+t)", "log10(2+t)", "abs(t-5)*t", "t^3", "t^-2",
    "t^2.5", "(1+t)^t", "2^t", "t*sin(t)/(1+t)", "1/(1+t)/t", "-t*-t", "t^0", "t^1", "7",
]  # fmt: skip


@pytest.mark.parametrize("text", SMOOTH)
def test_rate_and_acceleration_are_the_derivatives(text):
    formula = parse(text)
    t, h = np.linspace(0.2, 1.4, 7), 1e-3
    f = [np.asarray(formula.value(t + k * h)) for k in (-2, -1, 0, 1, 2)]
    # Five-point differences: error h^4 times a fifth derivative, plus rounding over h or h^2.
    rate = (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h)
    acceleration = (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h)
    scale = 1 + np.abs(f[2]).max()
    np.testing.assert_allclose(formula.rate(t), rate, rtol=1e-7, atol=1e-8 * scale)
    np.testing.assert_allclose(formula.acceleration(t), acceleration, rtol=1e-6, atol=1e-7 * scale)


def test_every_function_has_a_derivative_test():
    assert {name for name in FUNCTIONS if not any(f"{name}(" in text for text in SMOOTH)} == set()


def test_whole_powers_have_finite_derivatives_where_the_base_is_zero_or_negative():
    square, line, one = parse("t^2"), parse("t^1"), parse("t^0")
    assert (square.value(0.0), square.rate(0.0), square.acceleration(0.0)) == (0.0, 0.0, 2.0)
    assert (line.rate(0.0), line.acceleration(0.0)) == (1.0, 0.0)
    assert (one.value(0.0), one.rate(0.0)) == (1.0, 0.0)
    assert (square.rate(-3.0), square.acceleration(-3.0)) == (-6.0, 2.0)


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(-3, 3))
def test_product_rule_holds_for_any_harmonic(a, w, t):
    formula = parse(f"({a!r})*sin(({w!r})*t)*t")
    s, c = math.sin(w * t), math.cos(w * t)
    assert formula.rate(t) == pytest.approx(a * (w * c * t + s), rel=1e-12, abs=1e-12)
    second = a * (-w * w * s * t + 2 * w * c)
    assert formula.acceleration(t) == pytest.approx(second, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("text", ["2*pi*time", "3", "sin(t)^2", "atan2(1, 2)"])
def test_an_array_of_times_gives_what_its_members_give(text):
    formula = parse(text)
    t = np.linspace(0.0, 2.0, 6).reshape(2, 3)
    for answer in (formula.value, formula.rate, formula.acceleration):
        whole = answer(t)
        assert isinstance(whole, np.ndarray)
        assert whole.shape == t.shape
        single = answer(0.4)
        assert isinstance(single, float)
        assert whole[0, 1] == pytest.approx(single)


def test_a_formula_without_time_is_constant():
    assert parse("30.0*pi/180.0").is_constant
    assert not parse("0*time").is_constant


def test_outside_its_domain_a_formula_is_nan_without_a_warning():
    assert math.isnan(parse("sqrt(t)").value(-1.0))
    assert math.isnan(parse("asin(2)").value(0.0))
    assert math.isinf(parse("1/t").value(0.0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"ends where a number, time, pi, a function or \( was expected \(character 1\)"),
        ("2*", r"ends where a number.* \(character 3\)"),
        ("2 3", r"has '3' where an operator .* or the end was expected \(character 3\)"),
        ("(1+2", r"ends where an operator or the \) for the \( at character 1 was expected"),
        ("1)", r"has '\)' where an operator"),
        ("sin 3", r"has '3' where \( after sin was expected \(character 5\)"),
        ("atan2(1)", "gives atan2 1 argument; it takes 2"),
        ("sin(1, 2)", "gives sin 2 arguments; it takes 1"),
        ("sin()", r"has '\)' where a number"),
        ("2*speed", "unknown name 'speed'; known: time .*pi, sin, cos.*character 3"),
        ("__import__('os')", 'has "\'" where a number, a name'),
        ("t.real", "has '.' where"),
        ("1e999", "number '1e999', which is too large"),
        ("2 ^ ", "ends where a number"),
        ("(" * (MAX_DEPTH + 5) + "1" + ")" * (MAX_DEPTH + 5), "nested more than"),
        ("2^" * (MAX_DEPTH + 5) + "2", "more than .* powers in a row"),
        ("sin(" * 5000, "characters long; at most"),
        ("€", "has '€' where"),
        ("٣", "has '٣' where"),  # a digit, but not one of ours
    ],
)
def test_a_wrong_formula_is_told_with_its_place(text, message):
    with pytest.raises(InputError, match=message):
        parse(text)


def test_the_message_carries_file_and_line():
    with pytest.raises(InputError, match=r"^model\.asmt:12: error: expression '2\*' ends"):
        parse("2*", "model.asmt", 12)


@given(st.text(alphabet="0123456789.+-*/^(), dentimpsqrco<>", max_size=40))
def test_any_text_is_a_formula_or_an_input_error(text):
    try:
        formula = parse(text)
    except InputError:
        return
    assert isinstance(formula.value(0.5), float)


def test_long_flat_sums_need_no_depth():
    assert parse("+".join(["t"] * 3000)).value(2.0) == 6000.0


@pytest.mark.parametrize(
    ("text", "value"),
    [("2.0d", 2.0), ("-1.5D-3", -1.5e-3), ("1e3", 1e3), ("+.5", 0.5), ("7.", 7.0)],
)
def test_numbers_may_carry_a_d(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "1e", "1e999", "0x10", "1_0", "1,5", "d", "- 1"]
)
def test_what_is_no_finite_number_is_none(text):
    assert parse_number(text) is None
