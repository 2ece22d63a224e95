import pytest

from memoryhub.writing.importance import WEIGHTS, Trait, importance_of


def test_without_traits_it_is_the_default_of_the_field() -> None:
    importance = importance_of(0.7)

    assert (importance.value, importance.parts) == (0.7, (("default", 0.7),))


@pytest.mark.parametrize("trait", [trait for trait, weight in WEIGHTS.items() if weight > 0])
def test_what_matters_more_is_raised_and_says_why(trait: Trait) -> None:
    importance = importance_of(0.7, {trait})

    assert importance.value > 0.7
    assert importance.parts[1] == (trait, WEIGHTS[trait])


def test_a_temporary_matter_falls_below_the_threshold_of_admission() -> None:
    assert importance_of(0.7, {"temporary", "stated preference"}).value < 0.6


def test_the_sum_is_held_within_zero_and_one() -> None:
    assert importance_of(0.95, {"change of decision", "core project parameter"}).value == 1.0
    assert importance_of(0.1, {"temporary"}).value == 0.0
