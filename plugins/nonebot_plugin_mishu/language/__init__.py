"""Reading Chinese below the agents: words, and forms of whole lines over word classes (docs/language.md).

Pure: a line and what was recognised in it in, values out. No clock, no database, no model, no NoneBot.
"""

from .answer import Act, Answer, AnswerKind, Question, answer, laughs, nods
from .forms import Fit, Grammar
from .leads import LENGTH, Lead, days_before, lone_leads, says_a_lead
from .ledger import Amendment, Division, Name, Part, amendment, divided
from .lexicon import Lexicon, LexiconError, lexicon
from .limit import Limit, limit
from .mood import ORDER, Mood, ends_in_question, in_another_word, is_bare, is_guarded, mood_of, offers_choice
from .names import is_name
from .reading import Reading, read, things_named, words_of
from .rows import Form, FormError
from .sums import MOVED_ABOVE, SURELY_MOVED, moved
from .talk import SURELY_TALK, TalkScore, judge_talk
from .titles import title
from .tokens import Thing, Token, tokens

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
    "Grammar",
    "Lead",
    "Lexicon",
    "LexiconError",
    "Limit",
    "Mood",
    "Name",
    "Part",
    "Question",
    "Reading",
    "TalkScore",
    "Thing",
    "Token",
    "amendment",
    "answer",
    "days_before",
    "divided",
    "ends_in_question",
    "in_another_word",
    "is_bare",
    "is_guarded",
    "is_name",
    "judge_talk",
    "laughs",
    "lexicon",
    "limit",
    "lone_leads",
    "mood_of",
    "moved",
    "nods",
    "offers_choice",
    "read",
    "says_a_lead",
    "things_named",
    "title",
    "tokens",
    "words_of",
]
