"""The vocabulary a workspace starts with: kinds of things and the ways they are related. Staff edit it at the desk."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from memoryhub.models.entity import SAME_AS


@dataclass(frozen=True, slots=True)
class StarterEntityKind:
    name: str
    label_en: str
    label_zh: str
    separates: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class StarterRelationKind:
    """Columns of `RelationKind`; `family` '' is its own name."""

    name: str
    label_en: str
    label_zh: str
    aliases: tuple[str, ...] = ()
    target: str = "entity"
    family: str = ""
    single: bool = False
    from_kinds: tuple[str, ...] = ()
    to_kinds: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    warns: bool = False
    reserved: bool = False
    importance: float = 0.7


STARTER_ENTITY_KINDS = (
    StarterEntityKind("person", "Person", "人", separates=True),
    StarterEntityKind("order", "Order", "订单", separates=True),
    StarterEntityKind("parcel", "Parcel", "包裹", separates=True),
    StarterEntityKind("ticket", "Ticket", "工单", separates=True),
    StarterEntityKind("project", "Project", "项目", separates=True),
    StarterEntityKind("product", "Product", "产品", separates=True),
    StarterEntityKind("category", "Category", "类别"),
    StarterEntityKind("service", "Service", "服务"),
    StarterEntityKind("team", "Team", "团队"),
    StarterEntityKind("preference", "Preference", "偏好"),
    StarterEntityKind("incident", "Incident", "事件"),
)

STARTER_RELATION_KINDS = (
    StarterRelationKind(
        name="prefers", label_en="prefers", label_zh="喜欢", family="attitude", attributes=("strength",),
        aliases=("喜欢", "偏好", "爱吃", "爱喝", "prefer", "prefers", "like", "likes", "favourite", "favorite"),
    ),
    StarterRelationKind(
        name="dislikes", label_en="dislikes", label_zh="不喜欢", family="attitude", attributes=("strength",), warns=True,
        aliases=("不喜欢", "讨厌", "dislike", "dislikes", "hate", "hates", "avoid", "avoids"),
    ),
    StarterRelationKind(
        name="experienced", label_en="had a problem with", label_zh="遇到问题", attributes=("resolution",),
        to_kinds=("product", "service", "incident", "order", "parcel"), importance=0.75,
        aliases=("投诉", "抱怨", "遇到问题", "出问题", "complain", "complained", "complaint", "complaints", "problem with",
                 "problems with", "trouble with"),
    ),
    StarterRelationKind(
        name="related_to", label_en="is related to", label_zh="相关", attributes=("impact",), warns=True,
        aliases=("相关", "有关", "related"),
    ),
    StarterRelationKind(
        name="placed", label_en="placed", label_zh="下单", from_kinds=("person", "team"), to_kinds=("order",),
        aliases=("下单", "下的订单", "placed", "ordered", "orders"),
    ),
    StarterRelationKind(
        name="has_tracking", label_en="is shipped as", label_zh="快递单号", from_kinds=("order",), to_kinds=("parcel",),
        aliases=("快递", "物流", "包裹", "运单", "tracking", "shipped", "parcel"),
    ),
    StarterRelationKind(
        name="has_status", label_en="has status", label_zh="状态", target="text", single=True,
        from_kinds=("order", "parcel", "ticket", "incident", "project"), aliases=("状态", "进度", "status"),
    ),
    StarterRelationKind(
        name="expected_arrival", label_en="is expected on", label_zh="预计到达", target="date", single=True,
        from_kinds=("parcel", "order"),
        aliases=("预计到达", "到货", "什么时候到", "哪天到", "arrive", "arrives", "arrival", "delivered"),
    ),
    StarterRelationKind(
        name="belongs_to", label_en="belongs to", label_zh="属于",
        to_kinds=("category", "project", "team", "product", "person", "order"),
        aliases=("属于", "类别", "分类", "belong", "belongs", "category", "categories"),
    ),
    StarterRelationKind(
        name="contains", label_en="contains", label_zh="含有", aliases=("含有", "成分", "配料", "contain", "contains", "ingredient",
                                                                   "ingredients"),
    ),
    StarterRelationKind(
        name="works_on", label_en="works on", label_zh="负责", from_kinds=("person", "team"), to_kinds=("project", "ticket", "product"),
        aliases=("负责", "参与", "works on", "working on"),
    ),
    StarterRelationKind(
        name=SAME_AS, label_en="is the same as", label_zh="等同于", single=True, reserved=True, importance=0.7,
    ),
)  # fmt: skip


def entity_columns(kind: StarterEntityKind) -> dict[str, Any]:
    """The columns of a row of `EntityKind`."""
    return asdict(kind)


def relation_columns(kind: StarterRelationKind) -> dict[str, Any]:
    """The columns of a row of `RelationKind`."""
    columns = {
        name: list(value) if isinstance(value, tuple) else value for name, value in asdict(kind).items()
    }
    columns["default_importance"] = columns.pop("importance")
    return columns | {"family": kind.family or kind.name}
