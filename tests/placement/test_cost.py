"""What docs/placement.md says of the prompt cache."""

from __future__ import annotations

import re

import pytest

from evals.placement import PLACEMENTS, break_even, cost, laid_out, request, table
from pg_tool_recall._placement import Sdk
from tests.placement.test_placement import SDKS
from tests.placement.wire import legal, typed
from tests.support.database import ROOT

PAGE = (ROOT / "docs" / "placement.md").read_text(encoding="utf-8")


def test_the_page_has_the_table() -> None:
    assert table() in PAGE


def test_the_page_has_the_share_of_turns() -> None:
    found = re.search(r"changes in at most (\d+)% of turns", PAGE)
    assert found is not None
    assert int(found[1]) == round(break_even() * 100)


@pytest.mark.parametrize("sdk", SDKS)
def test_the_layout_is_a_real_request(sdk: Sdk) -> None:
    for rolling in (False, True):
        ours = {"model": "a-model", **request(sdk, 12, rolling)}
        typed({**ours, "max_tokens": 100} if sdk == "anthropic" else ours, sdk)
        legal(ours, sdk)


@pytest.mark.parametrize("sdk", SDKS)
def test_the_order_is_the_same_with_each_sdk(sdk: Sdk) -> None:
    """A changed block costs the history in the system prompt and one turn elsewhere."""
    frame = cost("as_system", changed=True, rolling=False, sdk=sdk)
    for how in PLACEMENTS:
        same = cost(how, changed=False, rolling=False, sdk=sdk)
        changed = cost(how, changed=True, rolling=False, sdk=sdk)
        assert 100 < same.anew < 500  # a turn is new in any case
        if how == "as_system":
            assert same.kept > changed.kept * 2
        else:
            # The line more in the block, but nothing of what comes before.
            assert same.kept == changed.kept > frame.kept * 2
        rolling = cost(how, changed=True, rolling=True, sdk=sdk)
        assert rolling.kept == pytest.approx(frame.kept, rel=0.02)


def test_without_a_block_all_of_the_turn_before_is_kept() -> None:
    """Or the table would show the cost of something else."""
    assert laid_out(request("anthropic", 12, False)).startswith(
        laid_out(request("anthropic", 11, False))
    )
