"""Places for event streams: of one member, of a group, of the owner, of all; given back once."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.services.access.actor import OWNER, Actor
from nonebot_plugin_mishu.web.routes.stream_places import OF_GROUP, OF_MEMBER, OF_OWNER, StreamPlaces, TooMany

MOST = 512


def member(user: int, group: int = 1) -> Actor:
    return Actor("member", str(user), str(group))


def taken(places: StreamPlaces, actor: Actor, wished: int = MOST) -> int:
    for number in range(wished):
        try:
            places.take_place(actor, MOST, lambda: None)
        except TooMany:
            return number
    return wished


def test_one_member_and_one_group_do_not_take_all() -> None:
    places = StreamPlaces()
    assert taken(places, member(1)) == OF_MEMBER
    whole = OF_MEMBER + sum(taken(places, member(user)) for user in range(2, 200))
    assert whole == OF_GROUP
    assert taken(places, member(1, group=2)) == OF_MEMBER, "the same person in another group"
    assert taken(places, OWNER) == OF_OWNER
    assert taken(places, member(5, group=3)) == OF_MEMBER


def test_all_together_are_bounded() -> None:
    places = StreamPlaces()
    assert sum(taken(places, member(user, group)) for group in range(40) for user in range(6)) == MOST
    with pytest.raises(TooMany, match=str(MOST)):
        places.take_place(OWNER, MOST, lambda: None)


def test_a_place_is_given_back_once() -> None:
    places = StreamPlaces()
    given = [places.take_place(member(1), MOST, lambda: None) for _ in range(OF_MEMBER)]
    given[0]()
    given[0]()
    assert taken(places, member(1)) == 1


def test_who_is_doubted_looks() -> None:
    places, looked = StreamPlaces(), list[str]()
    for name, actor in (("a", member(1, 1)), ("b", member(2, 2)), ("owner", OWNER)):
        places.take_place(actor, MOST, lambda name=name: looked.append(name))
    places.doubt("1")
    assert looked == ["a"]
    places.doubt(None)
    assert looked == ["a", "a", "b", "owner"]
