"""What common foods and drinks contain, so that 'lactose intolerance' speaks to 'recommend a latte' where nobody recorded it.

A short table of what an agent is asked about most, in Chinese and English; recorded relations (`contains`) add to it. It errs
towards naming too much: what it names is put before the agent as a reason to ask, nothing is decided by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from memoryhub.language.simplified import simplified


class Ingredient(NamedTuple):
    """`avoided_as`: how a person's condition or diet names it; `found_in`: what has it. Both are folded alternatives."""

    label_en: str
    label_zh: str
    avoided_as: tuple[str, ...]
    found_in: tuple[str, ...]


_MILK = (
    "milk", "latte", "lattes", "cappuccino", "cappuccinos", "mocha", "macchiato", "flat white", "milkshake", "cheese",
    "cheesecake", "butter", "cream", "ice cream", "yoghurt", "yogurt", "custard", "pizza", "milk tea",
    "牛奶", "拿铁", "卡布奇诺", "摩卡", "玛奇朵", "奶茶", "奶昔", "奶酪", "芝士", "起司", "黄油", "奶油", "冰淇淋", "冰激凌", "酸奶",
    "披萨", "比萨", "鲜奶", "奶盖",
)  # fmt: skip
_EGGS = (
    "egg", "eggs", "omelette", "mayonnaise", "meringue", "custard", "鸡蛋", "蛋糕", "蛋挞", "蛋黄", "煎蛋", "蛋炒饭", "蛋黄酱",
)  # fmt: skip
_SHELLFISH = (
    "shrimp", "shrimps", "prawn", "prawns", "crab", "lobster", "oyster", "oysters", "mussels", "clams", "scallops", "seafood",
    "海鲜", "虾", "蟹", "龙虾", "生蚝", "牡蛎", "扇贝", "蛤蜊", "贝类", "鲍鱼",
)  # fmt: skip
_FISH = (
    "fish",
    "salmon",
    "tuna",
    "cod",
    "sushi",
    "sashimi",
    "鱼",
    "三文鱼",
    "金枪鱼",
    "寿司",
    "刺身",
    "生鱼片",
)
_PORK = ("pork", "bacon", "ham", "猪肉", "培根", "火腿", "红烧肉", "排骨", "五花肉", "叉烧")
_MEAT = (
    *_PORK, "meat", "beef", "steak", "burger", "lamb", "mutton", "chicken", "duck", "turkey", "sausage", "barbecue",
    "肉", "牛排", "牛肉", "羊肉", "鸡肉", "炸鸡", "鸭", "烤鸭", "香肠", "火锅", "烧烤", "汉堡",
)  # fmt: skip
_ALCOHOL = (
    "alcohol", "wine", "beer", "whisky", "whiskey", "vodka", "cocktail", "champagne", "liqueur", "白酒", "红酒", "啤酒", "黄酒",
    "威士忌", "伏特加", "鸡尾酒", "香槟", "米酒", "酒",
)  # fmt: skip

INGREDIENTS: tuple[Ingredient, ...] = (
    Ingredient("milk", "牛奶", ("lactose", "milk", "dairy", "乳糖", "牛奶", "奶制品", "乳制品", "奶类"), _MILK),
    Ingredient(
        "nuts", "坚果", ("nut", "nuts", "tree nuts", "almonds", "walnuts", "cashews", "坚果", "腰果", "核桃", "杏仁"),
        (
            "nut", "nuts", "almond", "almonds", "walnut", "walnuts", "cashew", "cashews", "hazelnut", "hazelnuts", "pistachio",
            "pistachios", "pecan", "nougat", "marzipan", "praline", "坚果", "腰果", "核桃", "杏仁", "榛子", "开心果", "巴旦木", "碧根果",
            "夏威夷果",
        ),
    ),
    Ingredient(
        "peanuts", "花生", ("peanut", "peanuts", "花生"),
        ("peanut", "peanuts", "peanut butter", "satay", "花生", "花生酱", "沙茶", "沙嗲", "宫保鸡丁"),
    ),
    Ingredient(
        "gluten", "麸质", ("gluten", "wheat", "coeliac", "celiac", "麸质", "麦麸", "小麦", "面筋", "乳糜泻"),
        (
            "bread", "pasta", "noodles", "pizza", "cake", "cookies", "biscuits", "beer", "croissant", "dumplings", "面包", "面条",
            "蛋糕", "饼干", "披萨", "饺子", "馒头", "包子", "意面", "拉面", "啤酒",
        ),
    ),
    Ingredient("shellfish", "海鲜", ("shellfish", "seafood", "crustaceans", "shrimp", "crab", "海鲜", "虾", "蟹", "贝类", "甲壳"), _SHELLFISH),
    Ingredient("fish", "鱼", ("fish", "鱼类", "鱼", "seafood", "海鲜"), _FISH),
    Ingredient("egg", "鸡蛋", ("egg", "eggs", "鸡蛋", "蛋类", "蛋清"), _EGGS),
    Ingredient(
        "soy", "大豆", ("soy", "soya", "soybean", "soybeans", "大豆", "黄豆", "豆制品"),
        ("tofu", "soy milk", "soy sauce", "tempeh", "edamame", "豆腐", "豆浆", "酱油", "毛豆", "豆皮"),
    ),
    Ingredient("alcohol", "酒精", ("alcohol", "teetotal", "sober", "halal", "酒精", "不喝酒", "忌酒", "戒酒", "清真"), _ALCOHOL),
    Ingredient("pork", "猪肉", ("pork", "halal", "kosher", "muslim", "猪肉", "清真"), _PORK),
    Ingredient(
        "meat", "肉", ("vegetarian", "vegan", "meat", "meatless", "plant-based", "吃素", "素食", "素食者", "纯素", "不吃肉"),
        (*_MEAT, *_FISH, *_SHELLFISH),
    ),
    Ingredient("animal products", "动物制品", ("vegan", "plant-based", "纯素", "全素", "严格素食"), (*_MILK, *_EGGS, "honey", "蜂蜜")),
    Ingredient(
        "sugar", "糖", ("diabetes", "diabetic", "sugar", "sugar-free", "糖尿病", "控糖", "低糖", "戒糖", "糖"),
        (
            "cake", "candy", "chocolate", "soda", "cola", "ice cream", "dessert", "milk tea", "juice", "蛋糕", "糖果", "巧克力", "可乐",
            "汽水", "甜品", "甜点", "奶茶", "冰淇淋", "果汁",
        ),
    ),
    Ingredient("caffeine", "咖啡因", ("caffeine", "咖啡因"), ("coffee", "espresso", "latte", "tea", "cola", "energy drink", "咖啡", "拿铁", "浓缩", "茶", "可乐", "功能饮料")),
)  # fmt: skip

_WITHOUT = re.compile(
    r"(?:dairy|lactose|milk|gluten|nut|egg|sugar|alcohol|meat)-free|without\s+\w+|decaf\w*"
    r"|无乳糖|无麸质|无糖|无酒精|不含\S{1,4}|不加\S{1,3}|低因|素(?:火锅|汉堡|肉)|燕麦拿铁|燕麦奶",
    re.IGNORECASE,
)


def avoided_in(text: str, condition: str) -> Iterator[tuple[str, Ingredient]]:
    """Yield what the text names that has something the condition avoids: ('latte', milk) for 'lactose intolerance'."""
    spoken = _WITHOUT.sub(" ", simplified(text.casefold()))
    recorded = simplified(condition.casefold())
    for ingredient in INGREDIENTS:
        avoids, has = _patterns(ingredient)
        if avoids.search(recorded) and (found := has.search(spoken)):
            yield found[0], ingredient


@lru_cache(maxsize=64)
def _patterns(ingredient: Ingredient) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return _any_of(ingredient.avoided_as), _any_of(ingredient.found_in)


def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """The longest that matches; words in Latin letters stand for themselves, Chinese ones anywhere."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    latin = "|".join(re.escape(word) for word in ordered if word.isascii())
    chinese = "|".join(re.escape(word) for word in ordered if not word.isascii())
    return re.compile("|".join(part for part in (rf"\b(?:{latin})\b" if latin else "", chinese) if part))
