"""Reading Chinese below the agents: words, and forms of whole lines over word classes (docs/language.md).

Pure: a line and what was recognised in it in, values out. No clock, no database, no model, no NoneBot.
"""

from .answers.answer import (
    Act,
    Answer,
    AnswerKind,
    Question,
    agrees_to_all,
    agrees_to_delete,
    answer,
    behind_consent,
    confirms,
    confirms_all,
    decides,
    laughs,
    nods,
    opens_order,
)
from .answers.limit import Limit, limit
from .changes.corrections import correction_at, without_is
from .forms.forms import Fit, Grammar
from .forms.rows import Form, FormError
from .learned.sums import MOVED_ABOVE, SURELY_MOVED, moved
from .learned.talk import SURELY_TALK, TalkScore, judge_talk
from .ledger import (
    Amendment,
    Division,
    Giving,
    Name,
    Redone,
    SharePart,
    Wage,
    amendment,
    asking,
    divided,
    givings,
    marked,
    redone,
    settlements,
)
from .lexicon import Lexicon, LexiconError, lexicon
from .mood import (
    ORDER,
    Mood,
    ends_in_question,
    has_own_mood,
    in_another_word,
    is_bare,
    is_guarded,
    mood_of,
    offers_choice,
)
from .names.names import is_name
from .names.titles import plan_end, title
from .reading import Reading, read, things_named, words_of
from .recognise.leads import LENGTH, Lead, days_before, lone_leads, says_a_lead
from .text.tokens import Thing, Token, tokens

__all__ = [
    "LENGTH",
    "MOVED_ABOVE",
    "ORDER",
    "SURELY_MOVED",
    "SURELY_TALK",
    "Act",
    "Amendment",
    "Answer",
    "AnswerKind",
    "Division",
    "Fit",
    "Form",
    "FormError",
    "Giving",
    "Grammar",
    "Lead",
    "Lexicon",
    "LexiconError",
    "Limit",
    "Mood",
    "Name",
    "Question",
    "Reading",
    "Redone",
    "SharePart",
    "TalkScore",
    "Thing",
    "Token",
    "Wage",
    "agrees_to_all",
    "agrees_to_delete",
    "amendment",
    "answer",
    "asking",
    "behind_consent",
    "confirms",
    "confirms_all",
    "correction_at",
    "days_before",
    "decides",
    "divided",
    "ends_in_question",
    "givings",
    "has_own_mood",
    "in_another_word",
    "is_bare",
    "is_guarded",
    "is_name",
    "judge_talk",
    "laughs",
    "lexicon",
    "limit",
    "lone_leads",
    "marked",
    "mood_of",
    "moved",
    "nods",
    "offers_choice",
    "opens_order",
    "plan_end",
    "read",
    "redone",
    "says_a_lead",
    "settlements",
    "things_named",
    "title",
    "tokens",
    "without_is",
    "words_of",
]
