"""Token counts of texts, estimated without a tokenizer (facts: within 20 %)."""

from __future__ import annotations

from dataclasses import dataclass

from ...patterns import Pattern

_CJK = Pattern(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_DIGIT = Pattern(r"[0-9]")
_ASCII = Pattern(r"[\x00-\x7f]")

PER_CJK = 0.75
PER_DIGIT = 1.0
PER_ASCII = 0.33
PER_OTHER = 1.5
PER_MESSAGE = 4.0


def estimate_tokens(text: str) -> int:
    """Tokens of one message of this text."""
    cjk = len(_CJK.findall(text))
    digits = len(_DIGIT.findall(text))
    ascii_ = len(_ASCII.findall(text)) - digits
    rest = len(text) - cjk - digits - ascii_
    tokens = PER_CJK * cjk + PER_DIGIT * digits + PER_ASCII * ascii_ + PER_OTHER * rest + PER_MESSAGE
    return round(tokens)


@dataclass(slots=True)
class Calibration:
    """Correction of the estimate for one endpoint, learned from the `usage` it reports."""

    factor: float = 1.0
    weight: float = 0.2
    """Weight of one report."""
    bounds: tuple[float, float] = (0.5, 2.0)

    def learn(self, estimated: int, reported: int) -> None:
        """Take one report into account; absurd ones are bounded, empty ones ignored."""
        if estimated <= 0 or reported <= 0:
            return
        low, high = self.bounds
        ratio = min(high, max(low, reported / estimated))
        self.factor += self.weight * (ratio - self.factor)

    def correct(self, estimated: int) -> int:
        """An estimate as this endpoint would count it."""
        return round(estimated * self.factor)
