"""A radix tree over token ids: which stored prefix of a prompt is the longest.

A node may end at any token, not only where a page of KV does: native sequences copy a shared page when they
write to it, so a partly filled last page is no reason to match less. (The disk tier cuts at pages.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
V = TypeVar("V")


@dataclass(slots=True, eq=False)
class Node(Generic[V]):
    """The tokens from the parent's end to its own, and what is stored for the prefix that ends here."""

    parent: Node[V] | None
    tokens: Ids
    depth: int  # tokens from the root to the end of this node
    value: V | None = None
    children: dict[int, Node[V]] = field(default_factory=dict)  # by their first token

    def ancestors(self) -> Iterator[Node[V]]:
        """The nodes above this one, nearest first, the root last."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def path(self) -> Ids:
        """All tokens from the root to the end of this node."""
        parts = [self.tokens, *(node.tokens for node in self.ancestors())]
        return np.concatenate(parts[::-1])


class RadixTree(Generic[V]):
    """Not thread-safe. A node without a value stays only where paths part."""

    def __init__(self) -> None:
        self.root: Node[V] = Node(None, as_ids(()), 0)

    def match(self, ids: Ids) -> tuple[Node[V], int]:
        """How many of `ids` the tree knows, and the node in which, or at whose end, they stop."""
        node, depth = self.root, 0
        while depth < len(ids):
            child = node.children.get(int(ids[depth]))
            if child is None:
                break
            shared = common_prefix(child.tokens, ids[depth:])
            node, depth = child, depth + shared
            if shared < len(child.tokens):
                break
        return node, depth

    def insert(self, ids: Ids) -> Node[V]:
        """The node of exactly `ids`, made if it is not there; the caller gives it a value."""
        node, depth = self.match(ids)
        if depth < node.depth:
            node = self._split(node, depth - (node.depth - len(node.tokens)))
        if depth < len(ids):
            leaf: Node[V] = Node(node, ids[depth:].copy(), len(ids))
            node.children[int(ids[depth])] = leaf
            node = leaf
        return node

    def clear(self, node: Node[V]) -> None:
        """Takes a node's value away, and the nodes that nothing needs then."""
        node.value = None
        while node.parent is not None and node.value is None and not node.children:
            del node.parent.children[int(node.tokens[0])]
            node = node.parent
        if node.parent is not None and node.value is None and len(node.children) == 1:
            (child,) = node.children.values()
            child.tokens = np.concatenate([node.tokens, child.tokens])
            child.parent = node.parent
            node.parent.children[int(node.tokens[0])] = child

    def nodes(self, top: Node[V] | None = None) -> Iterator[Node[V]]:
        """`top` (the root if not given) and all nodes below it, each before its children."""
        waiting = [top or self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.children.values())

    def _split(self, node: Node[V], at: int) -> Node[V]:
        """Cuts a node after its first `at` tokens; the new upper part."""
        parent = node.parent
        assert parent is not None
        upper: Node[V] = Node(parent, node.tokens[:at].copy(), node.depth - len(node.tokens) + at)
        parent.children[int(upper.tokens[0])] = upper
        node.tokens = node.tokens[at:].copy()
        node.parent = upper
        upper.children[int(node.tokens[0])] = node
        return upper


def as_ids(tokens: Sequence[int] | Ids) -> Ids:
    return np.asarray(tokens, dtype=np.int32)


def common_prefix(left: Ids, right: Ids) -> int:
    """Length of the common prefix."""
    limit = min(len(left), len(right))
    differing = np.flatnonzero(left[:limit] != right[:limit])
    return int(differing[0]) if len(differing) else limit
