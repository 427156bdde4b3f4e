"""The second look for claims: on sentences it never learned from; `python -m training --check` tells whether
its weights are what they come from."""

from __future__ import annotations

from functools import cache

import pytest
from nonebot_plugin_mishu.language.claims.judge import BUCKETS, CLAIMS_ABOVE, WEIGHTS, sounds_done
from nonebot_plugin_mishu.language.claims.reading import claims
from nonebot_plugin_mishu.language.learned.windows import features, read_weights

from training.judges import JUDGES
from training.sentences import Sentence, read_sentences

CLAIMS = next(judge for judge in JUDGES if judge.name == "claims")


@cache
def held_out() -> list[Sentence]:
    return [sentence for sentence in read_sentences(CLAIMS) if sentence.held_out]


def test_the_judge_hears_claims_that_no_row_of_the_table_knows() -> None:
    unseen = held_out()
    missed = [each.text for each in unseen if each.wanted and not claims(each.text)]
    flagged = [each.text for each in unseen if not each.wanted and claims(each.text)]
    wanted = sum(each.wanted for each in unseen)
    assert len(missed) <= 0.25 * wanted, missed
    assert len(flagged) <= 0.05 * (len(unseen) - wanted), flagged
    assert any(sounds_done(each.buckets) > CLAIMS_ABOVE for each in unseen if each.wanted)


def test_features_are_the_same_whatever_the_digits() -> None:
    assert features("改到3点", BUCKETS) == features("改到8点", BUCKETS)
    assert all(0 <= bucket < BUCKETS for bucket in features("好" * 500, BUCKETS))


def test_weights_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="weights"):
        read_weights(WEIGHTS, 2 * BUCKETS)
