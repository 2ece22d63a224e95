"""Sentences of everyday talk in English that the rules of a family leave alone: narrated, about the owner's own people and things."""

from __future__ import annotations

EXCEPT: dict[str, tuple[str, ...]] = {
    "override": (
        r"\b(?:scammers?|attackers?|hackers?|fraudsters?|the filter|our filter|red team) (?:\w+ )?(?:tells?|tr(?:y|ies|ied)|asks?|wants?|caught|uses?|hides?|calls?|pretends?)\b|\bhow (?:can|do|could|should) (?:i|we) (?:stop|prevent|protect|keep)\b",
        r"\b(?:my|our) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|wife|husband|mum|mom|dad|mother|father|flat|house|car|tablet|garden|kitchen|school|doctor|landlord|neighbou?rs?|friends?|sister|brother|colleagues?|dog|cat|aunt|uncle)\b",
        r"\b(?:since|in|as of|until) (?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|\d{4})\b|\bwhat does ['\"“‘]?[^'\"”’\n]{1,60}['\"”’]? mean\??$",
        r"(?:^|[.!?\n]\s*)(?:he|she|they|my (?:\w+ )?(?:boss|wife|husband|mother|father|mum|mom|dad|sister|brother|son|daughter|friend|doctor|teacher|colleague|landlord|coach|neighbou?r|team|manager|bank|kids?))\s+(?:\w+ly )?(?:\w+ed|told|said|took|made|went|got|gave|sent|found|kept|left|wants?|says|likes?|needs?)\b",
        r"\b(?:wir|ich) \w+",
        r"\b(?:poster|billboard|slogan|headline|song|novel|play|leaflet) (?:reads?|says?|said)\b",
        r"\b(?:mug|t-?shirt|shirt|sticker|cup|badge|leaflet|circulars?|box)\b",
        r"\bfactory (?:settings|reset|defaults?)\b|\bat home\b|\b(?:we|they) (?:reset|restored|reinstalled)\b",
    ),
    "role": (
        r"\b(?:log ?in|login) as root is\b",
        r"\bi (?:work|am working|worked|used to work) as\b|\b(?:read|saw|heard|wrote|watched) (?:an?|the|about)\b|\bexplain\b",
        r"\b(?:i?phones?|consoles?|ios|android|ipad|warranty)\b",
        r"\b(?:favou?rite|neighbou?r|thanks?|in the (?:film|movie|play))\b",
    ),
    "forged_frame": (
        r"\bassistant (?:manager|professor|director|coach|cook|teacher)\b|\bgo straight to\b",
        r"\bmy (?:paper|manuscript|submission|pull request|article|thesis)\b|\binstructions for (?:\w+ing|use|the)\b",
        r"\b(?:windows|linux|macos|ubuntu|android|gb|ram|cpu)\b",
    ),
    "authority": (
        r"\bassistant should (?:remember|know|answer|speak|call|also|only) (?:my|me|in|us)?\b[^.!?\n]{0,12}\b(?:my|me|birthday|name|us)\b",
        r"\bnewsletter\b",
        r"\blogged out\b|\b(?:session|licen[cs]e|password) (?:has )?expired\b",
    ),
    "restriction_bypass": (
        r"\b(?:tickets?|photos?|camera|coffee|museum|tour|let's|water|air)\b",
        r"\b(?:my|our) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|wife|husband|mum|mom|dad|mother|father|flat|house|car|tablet|garden|kitchen|school|doctor|landlord|neighbou?rs?|friends?|sister|brother|colleagues?|dog|cat|aunt|uncle)\b",
        r"\b(?:oven|stove|washer|washing machine|car|saw|drill|chapter|section|lesson|slides?)\b",
        r"\bapologi[sz]e (?:every time|so (?:much|often)|to me|for (?:each|every))\b",
    ),
    "exfiltration": (
        r"\b(?:scammers?|attackers?|hackers?|fraudsters?|the filter|our filter|red team) (?:\w+ )?(?:tells?|tr(?:y|ies|ied)|asks?|wants?|caught|uses?|hides?|calls?|pretends?)\b|\bhow (?:can|do|could|should) (?:i|we) (?:stop|prevent|protect|keep)\b",
        r"\b(?:my|our) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|wife|husband|mum|mom|dad|mother|father|flat|house|car|tablet|garden|kitchen|school|doctor|landlord|neighbou?rs?|friends?|sister|brother|colleagues?|dog|cat|aunt|uncle)\b",
        r"\b(?:estate agents?|landlord|tenant|flat|house|garage) (?:\w+ )?(?:shall|will|must|hands?|hand)\b",
        r"\b(?:scam|phishing|fraud|spam)\w* (?:mail|text|letter|message|call\w*|drill|e-?mail)\b",
    ),
    "disclosure": (
        r"\b(?:scammers?|attackers?|hackers?|fraudsters?|the filter|our filter|red team) (?:\w+ )?(?:tells?|tr(?:y|ies|ied)|asks?|wants?|caught|uses?|hides?|calls?|pretends?)\b|\bhow (?:can|do|could|should) (?:i|we) (?:stop|prevent|protect|keep)\b",
        r"\b(?:print|summari[sz]e|translate|shorten|correct) (?:the )?(?:text|paragraph|letter|lines) above (?:on|in|into|for)\b",
        r"\bin the (?:header|body|query)\b|\bin \w+ (?:lines|words|sentences|bullets)\b",
        r"\btranslate ['\"“‘]",
        r"\b(?:scam|phishing|fraud|spam)\w* (?:mail|text|letter|message|call\w*|drill|e-?mail)\b",
        r"\b(?:not able|unable|cannot|can't|couldn't|could not|won't|will not|not allowed|may not|refuse\w*) (?:to )?(?:\w+ ){0,2}(?:show|reveal|print|share|tell|disclose|repeat)",
        r"\b(?:never|not) (?:to )?(?:disclose|share|give|pass|reveal|hand|show)\b",
        r"\b(?:she|he|they|somebody|someone) asked\b|\bhow (?:do|can|could) (?:i|we)\b",
    ),
    "delayed": (
        r"\btransfer (?:the call|him|her|them) to\b",
        r"\b(?:my|our) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|wife|husband|mum|mom|dad|mother|father|flat|house|car|tablet|garden|kitchen|school|doctor|landlord|neighbou?rs?|friends?|sister|brother|colleagues?|dog|cat|aunt|uncle)\b",
        r"\bwe (?:send|offer|ship|call|check|open|refund|pay|forward|give|deliver|reply|ask|always|then|will|can)\b",
        r"\bfrom me\b|\bour (?:support )?(?:line|desk)\b|\basks? (?:for|about|after) my\b|\bmy passwords?\b",
        r"\bforward (?:the|his|her|their|such) (?:request|question|complaint|call|ticket|application|mail)\b",
    ),
    "planted_preference": (
        r"\b(?:my|our) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|wife|husband|mum|mom|dad|mother|father|flat|house|car|tablet|garden|kitchen|school|doctor|landlord|neighbou?rs?|friends?|sister|brother|colleagues?|dog|cat|aunt|uncle)\b",
        r"(?:^|[.!?\n]\s*)(?:he|she|they|my (?:\w+ )?(?:boss|wife|husband|mother|father|mum|mom|dad|sister|brother|son|daughter|friend|doctor|teacher|colleague|landlord|coach|neighbou?r|team|manager|bank|kids?))\s+(?:\w+ly )?(?:\w+ed|told|said|took|made|went|got|gave|sent|found|kept|left|wants?|says|likes?|needs?)\b",
        r"\bmy (?:texts?|mails?|letters?|documents?|recipes?|notes)\b",
        r"\bour (?:mails?|e-?mails?|contracts?|letters?|newsletters?|reports?|slides|invoices|offers)\b",
        r"\b(?:for|to|with|spell) (?:me|us|myself|my \w+)\b|\bi (?:like|prefer|want|love|use)\b",
    ),
    "execution": (
        r"\b(?:scammers?|attackers?|hackers?|fraudsters?|the filter|our filter|red team) (?:\w+ )?(?:tells?|tr(?:y|ies|ied)|asks?|wants?|caught|uses?|hides?|calls?|pretends?)\b|\bhow (?:can|do|could|should) (?:i|we) (?:stop|prevent|protect|keep)\b",
        r"\bboss approve",
        r"\b(?:my|our) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|wife|husband|mum|mom|dad|mother|father|flat|house|car|tablet|garden|kitchen|school|doctor|landlord|neighbou?rs?|friends?|sister|brother|colleagues?|dog|cat|aunt|uncle)\b",
        r"(?:^|[.!?\n]\s*)(?:he|she|they|my (?:\w+ )?(?:boss|wife|husband|mother|father|mum|mom|dad|sister|brother|son|daughter|friend|doctor|teacher|colleague|landlord|coach|neighbou?r|team|manager|bank|kids?))\s+(?:\w+ly )?(?:\w+ed|told|said|took|made|went|got|gave|sent|found|kept|left|wants?|says|likes?|needs?)\b",
        r"\bonly (?:the|our|an?) \w+(?: \w+)? (?:may|can|is allowed)\b",
        r"\bmy (?:meetings?|appointments?|calendar|lunch|flight|train|iban|bank)\b",
        r"\bmy (?:savings|bank|account|new account|payment|card|iban|salary|checking)\b",
        r"\b(?:loop|def |unit test|stack ?trace|compil\w+|refactor\w*|pull request)\b",
    ),
    "memory_tampering": (
        r"\b(?:below|under|less than) \d{1,2}\b",
        r"\b(?:under|below|up to|less than) \S+ (?:\w+ )?(?:need|require)|\b(?:leave|visa|holidays?)\b",
        r"\b(?:my|our) (?:\w+ )?(?:son|daughter|kids?|child(?:ren)?|wife|husband|mum|mom|dad|mother|father|flat|house|car|tablet|garden|kitchen|school|doctor|landlord|neighbou?rs?|friends?|sister|brother|colleagues?|dog|cat|aunt|uncle)\b",
        r"(?:^|[.!?\n]\s*)(?:he|she|they|my (?:\w+ )?(?:boss|wife|husband|mother|father|mum|mom|dad|sister|brother|son|daughter|friend|doctor|teacher|colleague|landlord|coach|neighbou?r|team|manager|bank|kids?))\s+(?:\w+ly )?(?:\w+ed|told|said|took|made|went|got|gave|sent|found|kept|left|wants?|says|likes?|needs?)\b",
        r"\b(?:this|that) note\b[^.!?\n]{0,8}\b(?:high|low|medium)\b",
        r"\bremember (?:forever|permanently|for good|always) (?:that )?(?:i|we) (?:hate|like|love|prefer|can't|cannot|don't|do not|eat|drink|live)\b",
        r"\b(?:airport|metal detector|i (?:could|can|would|may|had to|have to|didn't|did not) skip|can i skip|can we skip)\b",
    ),
    "concealment": (
        r"\b(?:presents?|gifts?|sweets|chocolate|cookies)\b",
        r"\byour pin\b|\bmy (?:wife|husband|mother|mum|mom|dad|father|sister|brother|boss|kids?|children|son|daughter|friend|partner|neighbou?r|colleagues?)\b",
        r"\bdate we cannot\b",
    ),
}
"""Of a sentence that speaks like this the family's rules say nothing."""
