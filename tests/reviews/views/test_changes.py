"""Changes, change sets and memories: filters, sentences, chains and derivations."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from memoryhub.models import Change, FieldVersion, Owner
from tests.reviews.conftest import Desk
from tests.reviews.incident_pages import a_rollback
from tests.reviews.poisoned import Poisoned, poison
from tests.reviews.rows import make_change, make_owner


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def rows(answer: Any) -> int:
    page: str = answer.content.decode()
    return page.count(" data-row")


def test_each_change_is_a_sentence_with_before_and_after(desk: Desk) -> None:
    told = poison(desk.workspace)
    page = words(desk.client().get("/changes/"))
    assert "<del>6000</del>" in page
    assert "<ins>999999</ins>" in page
    assert told.owner.ref in page


def test_the_filters_choose_and_unknown_values_do_not(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    everything = rows(client.get("/changes/"))
    for query, number in (
        (f"agent={told.bad.agent_id}", 2),
        ("slot=user_profile.budget", 2),
        ("slot=user_profile", 2),
        ("action=supersede", 1),
        ("session=sess-bad", 1),
        ("state=rejected", 0),
        ("owner=nobody", 0),
        ("since=2100-01-01T00:00", 0),
        ("until=2100-01-01T00:00", everything),
        ("state=unknown", everything),
        ("since=garbage", everything),
    ):
        assert rows(client.get(f"/changes/?{query}")) == number, query


def test_pages_neither_repeat_nor_skip(desk: Desk) -> None:
    owner = make_owner(desk.workspace)
    for _ in range(30):
        make_change(owner)
    client = desk.client()
    first = client.get("/changes/")
    assert rows(first) == 25
    older = first.context["page"].older
    assert rows(client.get(f"/changes/?cursor={older}")) == 5
    assert client.get("/changes/?cursor=x").status_code == 400


def test_owners_being_erased_are_in_no_list(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    Owner.objects.filter(id=told.owner.id).update(state="erasing")
    for address in ("/changes/", "/memories/", "/memories/?kind=field", "/suspects/", "/rollback/"):
        page = words(client.get(address))
        assert str(told.owner.id) not in page, address
        assert "喜欢半夜" not in page, address
    assert client.get(memory(told, told.item_id)).status_code == 410


def test_a_change_set_shows_its_act_and_a_change_how_it_moved(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    change = Change.objects.of(told.owner.id).get(target_id=told.version_id)
    page = words(client.get(reverse("reviews:change", args=[told.owner.id, change.id])))
    for text in ("How it moved", "support-bot", "budget to 999999", "sess-bad", "a field was written"):
        assert text in page, text
    page = words(client.get(reverse("reviews:change_set", args=[told.owner.id, change.change_set_id])))
    for text in ("a field was written", "REST", "sess-bad", "The whole set:"):
        assert text in page, text
    missing = reverse("reviews:change", args=[told.owner.id, told.item_id])
    assert client.get(missing).status_code == 404


def memory(told: Poisoned, memory_id: Any) -> str:
    return reverse("reviews:memory", args=[told.owner.id, memory_id])


def test_a_memory_shows_what_it_led_to_rests_on_and_who_was_told(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    page = words(client.get(memory(told, told.item_id)))
    for text in ("led to", "适合安排夜间电话推销", "预算是多少？", "sess-2", "harmful"):
        assert text in page, text
    page = words(client.get(memory(told, told.derived_id)))
    assert "rests on" in page
    assert "喜欢半夜接到推销电话" in page


def test_a_superseded_version_says_what_replaced_it(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    first = FieldVersion.objects.of(told.owner.id).get(version=1)
    page = words(client.get(memory(told, first.id)))
    assert "This was replaced by" in page
    assert "999999" in page


def test_two_versions_are_compared_and_swapped(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    first = FieldVersion.objects.of(told.owner.id).get(version=1)
    address = reverse("reviews:compare", args=[told.owner.id, told.version_id])
    assert "<del>6000</del><ins>999999</ins>" in words(client.get(address))
    swapped = words(client.get(f"{address}?a={told.version_id}&b={first.id}"))
    assert "<del>999999</del><ins>6000</ins>" in swapped
    assert "The two say the same" in words(client.get(f"{address}?a={first.id}&b={first.id}"))
    assert client.get(f"{address}?a={told.item_id}").status_code == 404
    assert client.get(f"{address}?a=x").status_code == 404


def test_the_explorer_filters_by_owner_text_kind_state_and_weight(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    for query, number in (
        ("", 2),
        ("text=半夜", 1),
        ("kind=field", 1),
        ("kind=field&status=all", 2),
        ("kind=field&text=999999", 1),
        ("kind=procedural", 0),
        (f"owner={told.owner.ref}", 2),
        ("owner=cust", 0),
        ("confidence=0.9&kind=field", 1),
        ("importance=0.9", 0),
        ("importance=x", 2),
    ):
        assert rows(client.get(f"/memories/?{query}")) == number, query


def test_what_a_rollback_brought_back_stands_in_the_chain_of_what_it_took(desk: Desk) -> None:
    told, client = poison(desk.workspace), desk.client()
    a_rollback(told, user_id=desk.operator.pk)
    detail = client.get(memory(told, told.derived_id)).context["detail"]
    assert [row.status for row in detail.chain] == ["active", "retracted"]
    assert detail.newer.content == detail.memory.content
