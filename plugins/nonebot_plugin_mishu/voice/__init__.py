"""Voice (product section 8): what members say aloud becomes text, and feedback may be spoken.

`Transcriber` turns a recording into words, `SpeechSynthesizer` words into a recording. Both are off where no
endpoint is configured for them, bounded in size and time, and their failure is silent: text serves otherwise.
"""

from .synthesis import SpeechSynthesizer
from .transcription import Transcriber

__all__ = ["SpeechSynthesizer", "Transcriber"]
