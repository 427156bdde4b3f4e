"""Voice (product section 8): what members say aloud becomes text, and feedback may be spoken.

`Ears` turn a recording into words, `Mouth` words into a recording. Both are off where no endpoint is
configured for them, bounded in size and time, and their failure is silent: text serves otherwise.
"""

from .ears import Ears
from .mouth import Mouth

__all__ = ["Ears", "Mouth"]
