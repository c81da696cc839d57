"""Runs a chat template that came with a model file, and so may be hostile, in bounded time and memory.

jinja2's immutable sandbox keeps a template from Python's internals and from changing what it is given; there
is no loader, so it can read no file. On top of that:

- every value it makes is weighed (characters and items), and the sum is limited;
- operations whose result can be far larger than their operands are weighed before they run, or are not there;
- each loop turn, call, filter and operator checks the CPU time spent.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from datetime import datetime
from types import BuiltinFunctionType
from typing import Any, NoReturn

from jinja2 import nodes, pass_context
from jinja2.ext import Extension, loopcontrols
from jinja2.filters import FILTERS
from jinja2.parser import Parser
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from longleaf.engine.errors import ChatTemplateError, MessagesRefusedError

MAX_TEMPLATE = 256 * 1024  # characters; those of known models have at most 30,000
CPU_SECONDS = 2.0
_BASE_BUDGET = 1_000_000  # weight a template may make, besides
_BUDGET_PER_INPUT = 64  # times the weight of what it is given
_MAX_DEPTH = 64  # of lists in lists
_MAX_BITS = 4096  # of an integer

_FILTERS = """
    abs capitalize count d default dictsort e escape first float forceescape groupby int items last length
    list lower map max min reject rejectattr reverse round safe select selectattr sort string title trim
    truncate unique upper urlencode wordcount
"""
_STR_METHODS = """
    capitalize casefold count endswith find index isalnum isalpha isascii isdecimal isdigit islower isnumeric
    isspace istitle isupper join lower lstrip partition removeprefix removesuffix replace rfind rindex
    rpartition rsplit rstrip split splitlines startswith strip swapcase title upper
"""
_METHODS = {
    str: frozenset(_STR_METHODS.split()),
    dict: frozenset(("copy", "get", "items", "keys", "values")),
    list: frozenset(("copy", "count", "index")),
    tuple: frozenset(("count", "index")),
}


class _Meter:
    def __init__(self, given: Any) -> None:
        self.left = _BASE_BUDGET + _BUDGET_PER_INPUT * _weight(given, _BASE_BUDGET * 100)
        self.until = time.thread_time() + CPU_SECONDS

    def charge(self, weight: int) -> None:
        self.left -= weight + 1
        if self.left < 0:
            raise ChatTemplateError("the chat template makes more text than any prompt needs; it was stopped")
        if time.thread_time() > self.until:
            raise ChatTemplateError(
                f"the chat template ran for more than {CPU_SECONDS:.0f} s; it was stopped"
            )


_meter: ContextVar[_Meter] = ContextVar("meter")


def _weight(value: Any, limit: int, depth: int = 0) -> int:
    """Characters and items of a value; counting ends once it is past the limit."""
    if isinstance(value, str):
        return len(value) + 1
    if not isinstance(value, list | tuple | dict):
        return 1
    if depth > _MAX_DEPTH:
        raise ChatTemplateError("the chat template nests lists too deeply")
    total = 1
    parts: Iterable[Any] = value
    if isinstance(value, dict):
        parts = (part for pair in value.items() for part in pair)
    for part in parts:
        total += _weight(part, limit - total, depth + 1)
        if total > limit:
            break
    return total


def _charged(value: Any) -> Any:
    meter = _meter.get()
    meter.charge(_weight(value, meter.left))
    return value


@pass_context  # else jinja2 would call it while compiling, for constants
def _finalize(_: Context, value: Any) -> Any:
    return _charged(value)


def _charge_product(*factors: int) -> None:
    product = 1
    for factor in factors:
        product *= max(factor, 0)
    _meter.get().charge(product)


def _replace(value: Any, old: Any, new: Any, count: Any = None) -> str:
    text, before, after = str(value), str(old), str(new)
    hits = text.count(before)
    if count is not None and int(count) >= 0:
        hits = min(hits, int(count))
    _charge_product(hits, len(after))
    return text.replace(before, after, hits)


def _join(parts: Any, separator: Any = "", attribute: Any = None) -> str:
    if attribute is not None:
        raise ChatTemplateError("the chat template joins by attribute, which is not supported")
    texts = [str(_charged(part)) for part in parts]
    _charge_product(len(texts), len(str(separator)))
    return str(separator).join(texts)


def _indent(value: Any, width: Any = 4, first: bool = False, blank: bool = False) -> str:
    pad = width if isinstance(width, str) else " " * min(int(width), 256)
    lines = str(value).splitlines(keepends=True)
    _charge_product(len(lines), len(pad))
    padded = [pad + line if (blank or line.strip()) else line for line in lines]
    if lines and not first:
        padded[0] = lines[0]
    return "".join(padded)


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """As Hugging Face has it: for prompts, so without the escaping that HTML needs."""
    if isinstance(value, Undefined):
        raise ChatTemplateError("the chat template turns an undefined value into JSON")
    if indent is not None:
        indent = min(int(indent), 16)
        _charge_product(_weight(value, _meter.get().left), indent)
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def _raise_exception(message: Any) -> NoReturn:
    raise MessagesRefusedError(f"the model's chat template does not accept these messages: {message}")


def _strftime_now(form: Any) -> str:
    return datetime.now().strftime(str(form)[:200])


def _charging(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)  # keeps jinja2's marks on functions that want the environment
    def run(*args: Any, **kwargs: Any) -> Any:
        return _charged(function(*args, **kwargs))

    return run


class _Generation(Extension):
    """Hugging Face's {% generation %} block, which marks answers for training: only text here."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return list(parser.parse_statements(("name:endgeneration",), drop_needle=True))


class _Weighing(NodeTransformer):
    """Puts the charges where jinja2 gives no hook: in loops, macros and blocks, `~` and literals."""

    def _with_charge(self, node: Any) -> Any:
        self.generic_visit(node)
        constant = sum(len(data.data) for data in node.find_all(nodes.TemplateData))
        node.body.insert(0, nodes.ExprStmt(_call("charge", nodes.Const(constant)), lineno=node.lineno))
        return node

    visit_For = visit_Macro = visit_CallBlock = visit_Block = visit_FilterBlock = _with_charge

    def _weighed(self, node: Any) -> Any:
        self.generic_visit(node)
        return _call("weigh", node) if getattr(node, "ctx", "load") == "load" else node

    visit_Concat = visit_List = visit_Tuple = visit_Dict = _weighed


def _call(name: str, argument: nodes.Expr) -> nodes.Call:
    return nodes.Call(nodes.EnvironmentAttribute(name), [argument], [], None, None)


class _Sandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset(["+", "-", "*", "**", "%", "/", "//"])

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            optimized=False,  # it would run filters while compiling, before anything is metered
            finalize=_finalize,
            extensions=[loopcontrols, _Generation],
        )
        self.filters = {name: _charging(FILTERS[name]) for name in _FILTERS.split()}
        own: dict[str, Callable[..., Any]] = {
            "replace": _replace,
            "join": _join,
            "indent": _indent,
            "tojson": _to_json,
        }
        self.filters |= {name: _charging(function) for name, function in own.items()}
        self.globals = {name: self.globals[name] for name in ("range", "dict", "namespace")}
        self.globals |= {"raise_exception": _raise_exception, "strftime_now": _strftime_now}

    def charge(self, weight: int) -> str:
        _meter.get().charge(weight)
        return ""

    def weigh(self, value: Any) -> Any:
        return _charged(value)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        weighed: nodes.Template = _Weighing().visit(tree)
        weighed.set_environment(self)
        return weighed

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        if __obj == __self.charge or __obj == __self.weigh:
            return __obj(*args)
        if isinstance(__obj, BuiltinFunctionType):  # a method of a built-in type, as sandboxed names go
            owner, name = __obj.__self__, __obj.__name__
            allowed = next(
                (names for kind, names in _METHODS.items() if isinstance(owner, kind)), frozenset()
            )
            if name not in allowed:
                raise ChatTemplateError(
                    f"the chat template calls {type(owner).__name__}.{name}, which is not allowed"
                )
            for internal in ("_loop_vars", "_block_vars"):  # jinja2's own, meant for functions with a context
                kwargs.pop(internal, None)
            if name == "replace":
                return _charged(_replace(owner, *args, **kwargs))
            if name == "join":
                return _charged(_join(args[0], owner))
        elif not (
            isinstance(__obj, Macro | LoopContext | BlockReference | Undefined)
            or isinstance(getattr(__obj, "__self__", None), LoopContext)
            or any(__obj is known for known in __self.globals.values())
        ):
            raise ChatTemplateError(f"the chat template calls {type(__obj).__name__}, which is not allowed")
        return _charged(super().call(__context, __obj, *args, **kwargs))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "%" and isinstance(left, str):
            raise ChatTemplateError("the chat template formats text with %, which is not allowed")
        if operator == "*":
            for many, times in ((left, right), (right, left)):
                if isinstance(times, int) and isinstance(many, str | list | tuple):
                    _charge_product(_weight(many, _meter.get().left), times)
        if isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * right if operator == "**" else left.bit_length() + right.bit_length()
            if bits > _MAX_BITS:
                raise ChatTemplateError("the chat template computes with numbers that are too large")
        return _charged(super().call_binop(context, operator, left, right))


def compile_template(source: str) -> Callable[[dict[str, Any]], str]:
    """A function that renders the template with the given variables. Raises ChatTemplateError, as it does."""
    if len(source) > MAX_TEMPLATE:
        raise ChatTemplateError(f"the chat template has {len(source)} characters, more than {MAX_TEMPLATE}")
    try:
        template = _Sandbox().from_string(source)
    except Exception as error:  # whatever a hostile source provokes in the parser and compiler
        raise ChatTemplateError(f"the chat template cannot be read: {_reason(error)}") from error

    def render(variables: dict[str, Any]) -> str:
        token = _meter.set(_Meter(list(variables.values())))
        try:
            return template.render(variables)
        except ChatTemplateError:
            raise
        except Exception as error:  # the template is a program of others: it may raise anything
            raise ChatTemplateError(f"the chat template failed: {_reason(error)}") from error
        finally:
            _meter.reset(token)

    return render


def _reason(error: Exception) -> str:
    line = getattr(error, "lineno", None)
    where = f" (line {line})" if line else ""
    return f"{type(error).__name__}: {error}"[:300] + where
