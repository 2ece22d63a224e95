"""The form types and fields a new workspace starts with; staff edit them later in the database.

An alias may name several fields (预算 is a person's and a project's): all are looked up, each answer says its form.
Subjects: `preferences` forms are one per topic ("tea", "恐怖片"), `contact` one per label ("home", "office"),
`order` and `incident` one per number, `business_rule` one per rule; the others have the empty subject.
"""

from __future__ import annotations

from typing import NamedTuple


class StarterField(NamedTuple):
    form_type: str
    name: str
    label_en: str
    label_zh: str
    value_type: str = "text"
    aliases: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    multi_valued: bool = False
    key_attribute: bool = False
    safety: bool = False
    importance: float = 0.7
    conflict_policy: str = "replace"
    review_mode: str = "patrol"
    lifetime_days: int | None = None
    tolerance: float | None = None
    """A share for numbers, hours for dates."""
    sensitivity: str = "normal"
    least_trust_tier: int = 1


STARTER_FORM_TYPES: dict[str, tuple[str, str]] = {
    "user_profile": ("User profile", "用户资料"),
    "project_config": ("Project", "项目配置"),
    "business_rule": ("Business rule", "业务规则"),
    "preferences": ("Preference", "偏好"),
    "contact": ("Contact", "联系方式"),
    "order": ("Order", "订单"),
    "incident": ("Incident", "报修事件"),
}

_F = StarterField

STARTER_FIELDS: tuple[StarterField, ...] = (
    # --- user_profile (subject "")
    _F(
        "user_profile",
        "name",
        "Name",
        "姓名",
        aliases=("name", "名字", "姓名", "叫什么", "称呼"),
        key_attribute=True,
        importance=0.9,
        sensitivity="personal",
    ),
    _F(
        "user_profile",
        "location",
        "Location",
        "所在城市",
        aliases=("city", "live", "lives", "location", "住在", "住哪", "城市", "所在地"),
        importance=0.7,
        sensitivity="personal",
    ),
    _F(
        "user_profile",
        "language",
        "Language",
        "语言",
        aliases=("language", "语言", "speak"),
        key_attribute=True,
        importance=0.8,
    ),
    _F(
        "user_profile",
        "time_zone",
        "Time zone",
        "时区",
        aliases=("time zone", "timezone", "时区"),
        importance=0.7,
    ),
    _F(
        "user_profile",
        "occupation",
        "Occupation",
        "职业",
        aliases=("job", "occupation", "work as", "职业", "工作", "岗位"),
        importance=0.7,
    ),
    _F(
        "user_profile",
        "employer",
        "Employer",
        "公司",
        aliases=("company", "employer", "公司", "单位"),
        importance=0.7,
    ),
    _F(
        "user_profile",
        "birthday",
        "Birthday",
        "生日",
        "date",
        aliases=("birthday", "born", "生日", "出生"),
        importance=0.7,
        sensitivity="personal",
    ),
    _F(
        "user_profile",
        "allergies",
        "Allergies",
        "过敏",
        aliases=("allergy", "allergic", "allergies", "过敏", "过敏原", "忌口"),
        multi_valued=True,
        key_attribute=True,
        safety=True,
        importance=0.95,
        conflict_policy="confirm",
        sensitivity="health",
    ),
    _F(
        "user_profile",
        "diet",
        "Diet",
        "饮食习惯",
        aliases=("diet", "vegetarian", "vegan", "饮食", "吃素", "素食"),
        multi_valued=True,
        key_attribute=True,
        safety=True,
        importance=0.9,
        conflict_policy="confirm",
        sensitivity="health",
    ),
    _F("user_profile", "pet", "Pet", "宠物", aliases=("pet", "宠物"), multi_valued=True, importance=0.6),
    _F(
        "user_profile",
        "commute",
        "Commute",
        "通勤方式",
        aliases=("commute", "get to work", "通勤", "上班方式"),
        importance=0.6,
    ),
    _F("user_profile", "budget", "Budget", "个人预算", "money", aliases=("budget", "预算"), importance=0.75),
    _F(
        "user_profile",
        "membership",
        "Membership",
        "会员等级",
        aliases=("membership", "vip", "会员", "会员等级"),
        importance=0.7,
        least_trust_tier=2,
    ),
    # --- project_config (subject "" or the project's name)
    _F(
        "project_config",
        "current_plan",
        "Current plan",
        "当前方案",
        aliases=("plan", "current plan", "方案", "计划"),
        importance=0.85,
    ),
    _F(
        "project_config",
        "max_budget",
        "Budget limit",
        "预算上限",
        "money",
        aliases=("budget", "budget limit", "预算", "预算上限"),
        importance=0.8,
    ),
    _F(
        "project_config",
        "programming_language",
        "Programming language",
        "编程语言",
        aliases=("tech stack", "programming language", "技术栈", "编程语言", "开发语言"),
        importance=0.75,
    ),
    _F(
        "project_config",
        "framework",
        "Framework",
        "框架",
        aliases=("tech stack", "framework", "技术栈", "框架"),
        importance=0.7,
    ),
    _F(
        "project_config",
        "database",
        "Database",
        "数据库",
        aliases=("tech stack", "database", "技术栈", "数据库"),
        importance=0.7,
    ),
    _F(
        "project_config",
        "deadline",
        "Deadline",
        "截止日期",
        "date",
        aliases=("deadline", "due", "due date", "截止", "截止日期", "交付日期"),
        importance=0.75,
    ),
    # --- business_rule (subject = the rule's key)
    _F(
        "business_rule",
        "rule",
        "Rule",
        "规则",
        aliases=("rule", "policy", "规则", "规定", "禁止"),
        key_attribute=True,
        safety=True,
        importance=0.95,
        conflict_policy="review",
        review_mode="gate",
        least_trust_tier=2,
    ),
    # --- preferences (subject = topic; "" for the general ones)
    _F(
        "preferences",
        "attitude",
        "Attitude",
        "态度",
        "choice",
        aliases=("like", "likes", "dislike", "prefer", "喜欢", "不喜欢", "讨厌", "偏好"),
        choices=("likes", "dislikes"),
        importance=0.7,
        conflict_policy="confirm",
    ),
    _F(
        "preferences",
        "favourite",
        "Favourite",
        "最爱",
        aliases=("favourite", "favorite", "最喜欢", "最爱"),
        importance=0.7,
    ),
    _F(
        "preferences",
        "reply_style",
        "Reply style",
        "回复风格",
        aliases=("reply style", "tone", "回复风格", "语气"),
        importance=0.8,
    ),
    _F(
        "preferences",
        "contact_channel",
        "Contact channel",
        "联系渠道",
        aliases=("contact channel", "reach me", "联系我", "联系渠道"),
        importance=0.7,
    ),
    _F(
        "preferences",
        "usual_request",
        "Usual request",
        "老规矩",
        aliases=("usual", "the usual", "老规矩", "老样子"),
        importance=0.8,
    ),
    _F(
        "preferences",
        "do_not_recommend",
        "Do not recommend",
        "不要推荐",
        "boolean",
        aliases=("do not recommend", "不要推荐", "别推荐"),
        importance=0.9,
        safety=True,
        conflict_policy="review",
        review_mode="gate",
    ),
    # --- contact (subject = label: "home", "office", "" when unlabelled)
    _F(
        "contact",
        "address",
        "Address",
        "地址",
        aliases=("address", "地址", "收货地址", "住址"),
        importance=0.8,
        sensitivity="personal",
    ),
    _F(
        "contact",
        "phone",
        "Phone",
        "电话",
        aliases=("phone", "phone number", "电话", "手机", "手机号"),
        importance=0.8,
        sensitivity="personal",
    ),
    _F(
        "contact",
        "email",
        "E-mail",
        "邮箱",
        aliases=("email", "e-mail", "邮箱", "邮件地址"),
        importance=0.8,
        sensitivity="personal",
    ),
    # --- order (subject = order number)
    _F(
        "order",
        "status",
        "Order status",
        "订单状态",
        aliases=("order status", "订单状态", "订单"),
        importance=0.7,
        lifetime_days=180,
    ),
    _F(
        "order",
        "tracking_number",
        "Tracking number",
        "快递单号",
        aliases=("tracking", "tracking number", "parcel", "快递单号", "运单号", "快递"),
        importance=0.7,
        lifetime_days=180,
    ),
    _F(
        "order",
        "expected_arrival",
        "Expected arrival",
        "预计送达",
        "date",
        aliases=("arrival", "expected arrival", "预计到达", "什么时候到"),
        importance=0.7,
        lifetime_days=180,
        tolerance=24,
    ),
    # --- incident (subject = ticket number, or a generated one)
    _F(
        "incident",
        "subject",
        "Subject",
        "事由",
        aliases=("incident", "ticket", "报修", "工单"),
        importance=0.7,
        lifetime_days=365,
    ),
    _F(
        "incident",
        "device",
        "Device",
        "设备",
        aliases=("device", "equipment", "设备"),
        importance=0.7,
        lifetime_days=365,
    ),
    _F(
        "incident",
        "status",
        "Incident status",
        "处理状态",
        "choice",
        aliases=("incident status", "ticket status", "dispatched", "派单", "报修", "处理状态", "处理进度"),
        choices=("open", "dispatched", "solved"),
        importance=0.75,
        lifetime_days=365,
    ),
    _F(
        "incident",
        "opened_at",
        "Opened at",
        "报修时间",
        "datetime",
        aliases=("opened", "报修时间"),
        importance=0.6,
        lifetime_days=365,
    ),
    _F(
        "incident",
        "solved_at",
        "Solved at",
        "解决时间",
        "datetime",
        aliases=("solved", "解决时间"),
        importance=0.6,
        lifetime_days=365,
    ),
    _F(
        "incident",
        "resolution",
        "Resolution",
        "处理结果",
        aliases=("resolution", "处理结果", "怎么解决"),
        importance=0.7,
        lifetime_days=365,
    ),
)
