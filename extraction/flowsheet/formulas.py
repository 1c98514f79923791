"""Computes scores and balances from other rows, and shows the arithmetic.

A formula belongs to its row in the flowsheet schema (docs/schema-format.md): an expression over named parts, each the
value of a row, used directly or converted to points. Nothing is guessed: if a part is missing there is no result, and
the part is named. Expressions are parsed into a tree of the few node types listed here and are never run as code.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from extraction.flowsheet.schema import Formula, FormulaPart, Row, Schema
from extraction.flowsheet.values import NotObtained, Value

_LONGEST = 500
_DEEPEST = 60
_ROUNDED = 6  # decimals; beyond them lies only floating-point error
_OPERATORS: dict[type[ast.operator], tuple[str, Callable[[float, float], float]]] = {
    ast.Add: ("+", lambda a, b: a + b),
    ast.Sub: ("-", lambda a, b: a - b),
    ast.Mult: ("×", lambda a, b: a * b),
    ast.Div: ("/", lambda a, b: a / b),
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "sum": lambda *numbers: math.fsum(numbers),
    "mean": lambda *numbers: math.fsum(numbers) / len(numbers),
    "min": lambda *numbers: min(numbers),
    "max": lambda *numbers: max(numbers),
    "round": lambda number, places=0.0: _half_up(number, int(places)),
}


class ChartedValue(Protocol):
    """A value of a row at a time; None is the time of the dictation."""

    @property
    def row_id(self) -> str: ...
    @property
    def value(self) -> Value: ...
    @property
    def observed_at(self) -> str | None: ...


Item = TypeVar("Item", bound=ChartedValue)


@dataclass(frozen=True, slots=True)
class Computed(Generic[Item]):
    """The result of a formula for one time.

    Attributes:
        value: None if a part is missing or the arithmetic has no result.
        steps: the arithmetic in words, with the result; empty without one.
        parts: the values used.
        missing: names of the rows that have no value, several values, or a value without points.
        charted: the values of the computed row itself at that time.
    """

    row: Row
    observed_at: str | None
    value: float | None
    steps: str
    parts: tuple[Item, ...]
    missing: tuple[str, ...]
    charted: tuple[Item, ...] = ()

    @property
    def differing(self) -> tuple[Item, ...]:
        """The charted values of the row that differ from the result."""
        if self.value is None:
            return ()
        return tuple(one for one in self.charted if one.value != self.value)


def compute(schema: Schema, charted: Sequence[Item]) -> tuple[Computed[Item], ...]:
    """Evaluates the schema's formulas on the charted values, separately for each time.

    Skips a formula unless more than half of its parts have a value.
    """
    at: dict[str | None, dict[str, list[Item]]] = {}
    for one in charted:
        at.setdefault(one.observed_at, {}).setdefault(one.row_id, []).append(one)
    found = []
    for row in schema.rows:
        if row.formula is None:
            continue
        for time, values in at.items():
            known = sum(_used(part, values).row_id in values for _, part in row.formula.parts)
            if 2 * known > len(row.formula.parts):
                found.append(_computed(schema, row, row.formula, time, values))
    return tuple(found)


def _computed(
    schema: Schema, row: Row, formula: Formula, time: str | None, values: Mapping[str, Sequence[Item]]
) -> Computed[Item]:
    numbers: dict[str, float] = {}
    parts: dict[str, Item] = {}
    missing: list[str] = []
    for name, first in formula.parts:
        part = _used(first, values)
        said = values.get(part.row_id, ())
        number = number_of(part, said[0].value) if len(said) == 1 else None
        if number is None:
            doubt = " (several values)" if len(said) > 1 else f" ({_why_not(said[0].value)})" if said else ""
            missing.append(f"{schema.row(part.row_id).name}{doubt}")
        else:
            numbers[name] = number
            parts[part.row_id] = said[0]
    own = tuple(values.get(row.id, ()))
    value = None if missing else result(formula.expression, numbers)
    steps = "" if value is None else f"{with_numbers(formula.expression, numbers)} = {value:g}"
    return Computed(row, time, value, steps, tuple(parts.values()), tuple(missing), own)


def _why_not(value: Value) -> str:
    return "not obtained" if isinstance(value, NotObtained) else "no points"


def _used(part: FormulaPart, values: Mapping[str, Sequence[Item]]) -> FormulaPart:
    """What gives a part its number: the first choice of which the row has a value, else the first choice."""
    return next((one for one in part.choices if one.row_id in values), part)


def number_of(part: FormulaPart, value: Value) -> float | None:
    """The number that a value contributes as a part of a formula; None if it has none."""
    if part.take is not None:
        halves = value.split("/") if isinstance(value, str) else []
        place = ("systolic", "diastolic").index(part.take)
        value = float(halves[place]) if len(halves) == 2 and halves[place].isdigit() else ""
    if part.bands:
        if not isinstance(value, float):
            return None
        return next((band.points for band in part.bands if band.maximum is None or value <= band.maximum), None)
    if part.points:
        said = {True: "Yes", False: "No"}[value] if isinstance(value, bool) else value
        return next((points for name, points in part.points if name == said), None)
    return value if isinstance(value, float) else None


def names_in(expression: str) -> frozenset[str]:
    """The names of the parts in an expression.

    Raises:
        ValueError: the expression is invalid; the message says in plain words what is wrong.
    """
    tree = _tree(expression)
    calls = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in calls)


def result(expression: str, numbers: Mapping[str, float]) -> float | None:
    """Evaluates an expression; None if it has no finite result, such as after a division by zero."""
    try:
        value = _evaluate(_tree(expression), numbers)
    except (ZeroDivisionError, OverflowError):
        return None
    return round(value, _ROUNDED) + 0.0 if math.isfinite(value) else None


def with_numbers(expression: str, numbers: Mapping[str, float]) -> str:
    """The expression with the names and numbers of its parts: 'eye 4 + verbal 5 + motor 6'."""
    return _words(_tree(expression), numbers)


@lru_cache(maxsize=1024)
def _tree(expression: str) -> ast.expr:
    if len(expression) > _LONGEST:
        raise ValueError(f"is longer than {_LONGEST} characters")
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError("is not a valid expression") from None
    if _depth(tree) > _DEEPEST:
        raise ValueError(f"is nested more than {_DEEPEST} deep")
    _check(tree)
    return tree


def _depth(tree: ast.AST) -> int:
    """The depth of a tree, measured without recursion."""
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return depth


def _check(node: ast.expr) -> None:
    match node:
        case ast.Constant(value=bool()):
            raise ValueError("may hold numbers, names of parts, + - * / and functions only")
        case ast.Constant(value=int() | float()) | ast.Name():
            return
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            _check(left)
            _check(right)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check(operand)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS and arguments:
            places = arguments[1:] if name == "round" else []
            if len(places) > 1 or any(not isinstance(one, ast.Constant) or one.value not in range(7) for one in places):
                raise ValueError('may "round" to 0 to 6 places, as in round(weight, 1)')
            for argument in arguments:
                _check(argument)
        case ast.Call(func=ast.Name(id=name)):
            raise ValueError(f'has no function "{name}"; there are {", ".join(_FUNCTIONS)}')
        case _:
            raise ValueError("may hold numbers, names of parts, + - * / and functions only")


def _evaluate(node: ast.expr, numbers: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return numbers[name]
        case ast.UnaryOp(operand=operand):
            return -_evaluate(operand, numbers)
        case ast.BinOp(left=left, op=operator, right=right):
            return _OPERATORS[type(operator)][1](_evaluate(left, numbers), _evaluate(right, numbers))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return float(_FUNCTIONS[name](*(_evaluate(argument, numbers) for argument in arguments)))
    raise AssertionError("the tree was checked")


def _words(node: ast.expr, numbers: Mapping[str, float]) -> str:
    match node:
        case ast.Constant(value=number):
            return f"{number:g}" if isinstance(number, int | float) else ""
        case ast.Name(id=name):
            return f"{name.replace('_', ' ')} {numbers[name]:g}"
        case ast.UnaryOp(operand=operand):
            said = _words(operand, numbers)
            return f"-({said})" if _has_operators(operand) or isinstance(operand, ast.UnaryOp) else f"-{said}"
        case ast.BinOp(left=left, op=operator, right=right):
            sign = _OPERATORS[type(operator)][0]
            return f"{_operand(left, operator, numbers)} {sign} {_operand(right, operator, numbers, right=True)}"
        case ast.Call(func=ast.Name(id="sum"), args=arguments):
            return " + ".join(_words(argument, numbers) for argument in arguments)
        case ast.Call(func=ast.Name(id="round"), args=[first, *_]):
            return _words(first, numbers)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return f"{name}({', '.join(_words(argument, numbers) for argument in arguments)})"
    raise AssertionError("the tree was checked")


def _operand(node: ast.expr, around: ast.operator, numbers: Mapping[str, float], *, right: bool = False) -> str:
    """One operand in words, in brackets if precedence requires them."""
    said = _words(node, numbers)
    strong = isinstance(around, ast.Mult | ast.Div)
    adds = _has_operators(node) and not _is_product(node)
    behind = right and not isinstance(around, ast.Add) and (_has_operators(node) or isinstance(node, ast.UnaryOp))
    return f"({said})" if (adds and strong) or behind else said


def _has_operators(node: ast.expr) -> bool:
    """Whether a node is shown as several numbers with operators between them."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("sum", "round"):
        return True
    return isinstance(node, ast.BinOp)


def _is_product(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div)


def _half_up(number: float, places: int) -> float:
    """Rounds halves away from zero, as people do."""
    scale = 10.0**places
    return math.copysign(math.floor(abs(number) * scale + 0.5 + 1e-9), number) / scale
