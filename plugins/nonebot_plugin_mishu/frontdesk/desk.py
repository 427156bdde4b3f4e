"""The front desk: hears every message, and hands those that matter to the secretary.

`hear` is called for every message before anything else happens with it and awaits nothing; `act` is called
when nobody else took the message. What follows runs in tasks owned here (product section 1).

    hear ─> act ─> _serve ─┬─> _serve_at_once   command, silence word, speak word, any line in a silence
                           └─> _offer           turn of the secretary (`Turns.admit`), or left to a plugin
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..clock import Clock, ClockSeen
from ..config import Config
from ..core import Core
from ..report import Report
from ..secretary import DeskPort as SecretarysDesk
from ..secretary import Secretary, Speech, Trigger, TurnItem
from ..storage import Storage, StorageError
from ..storage.records import Conversation, LedgerMessage
from .announcing import Announcing
from .commands import parsing
from .commands.decisions import DecisionCommands
from .commands.desk import CommandDesk, command_table
from .commands.features import feature_names
from .commands.parsing import Command
from .commands.personal import PersonalDesk
from .commands.quiet_hours import QuietCommands
from .commands.settings import SettingDesk
from .commands.silences import SilenceCommands
from .commands.status import ModelState, StatusCommands
from .commands.switches import SettingCommands
from .commands.web_links import WebDesk
from .duty.takeover import TakingOver
from .lines.files import SAME_FILE, same_file
from .lines.foreign_lines import ANSWERED, QUOTED, SILENT, STOPPED, TakenBy, TakenLines
from .lines.incoming_message import IncomingMessage
from .lines.reading import Interest, TriggerFinder
from .lines.sent_files import SentFiles
from .notices import PlatformNotices
from .options import DeskOptions
from .platform import Platform
from .private_delivery import Privately
from .reply_service import ReplyService
from .resuming import MOST_TRIES, RESUMED, Resuming, stored_line
from .rooms.member_names import introduced, unknown, with_sender
from .rooms.room import Room
from .rooms.rooms import RoomLeft, Rooms
from .rooms.views import Audience
from .silencing import Silencing
from .tasks import OwnedTasks
from .turns import Turns
from .voices import Voices

SHUTDOWN_GRACE = 1.0
SENDING = 2.0
"""Seconds for which a pressed button waits for the message above it to be sent."""
UNRECALLED_DAYS = 7
"""Days for which talk is kept at most where the platform does not tell what was taken back."""
DEFAULT_NAME = "秘书"


class FrontDesk:
    """Everything between an adapter and the secretary.

    Args:
        audience: told of presence and decisions.
        nicknames: names we are called by; the first is ours in the ledger.
        make_secretary: called once, with the port that the secretary speaks through.
        model: state of the model, for `/秘书 状态`.
        report: takes a Chinese sentence and the error it is about.
        options: parts that this instance has beside these.
    """

    def __init__(
        self,
        config: Config,
        clock: Clock,
        storage: Storage,
        core: Core,
        platform: Platform,
        audience: Audience,
        *,
        nicknames: Sequence[str],
        make_secretary: Callable[[SecretarysDesk], Secretary],
        model: ModelState,
        report: Report,
        options: DeskOptions | None = None,
    ) -> None:
        options = options or DeskOptions()
        self._card = options.card
        self._others = options.others
        self._superusers = options.superusers
        self._starts = options.starts
        self._duties = options.duties
        self._config = config
        self._clock = clock
        self._storage = storage
        self._platform = platform
        self._report = report
        self._closed = False
        self._seen = ClockSeen.first(clock.wall(), clock.monotonic())
        self._tasks = OwnedTasks(report)
        self._in_hand: set[tuple[str, str]] = set()
        """Account and id of every message that is being dealt with."""
        name = nicknames[0] if nicknames else DEFAULT_NAME
        self.rooms = Rooms(
            config,
            clock,
            storage,
            audience,
            self._tasks,
            self._transmit,
            self._take_skipped,
            report,
            options.prepared,
        )
        self._replies = ReplyService(
            clock, storage, platform, audience, name, self.rooms.enter, self._tasks, report, options.starts
        )
        self._taken = TakenLines(clock, core, self._replies)
        self.announcer = Announcing(config, clock, self.rooms, self._replies, platform)
        self._voices = Voices(
            core, self._replies, options.transcriber, options.synthesizer, self.rooms.enter, report
        )
        self._replies.read_aloud = self._voices.speak
        self._files = SentFiles(platform, options.shelf)
        secretary = make_secretary(self._replies)
        self._turns = Turns(
            config, clock, core, self._replies, secretary, audience, self._tasks, self._taken.leave
        )
        self._reading = TriggerFinder(config, clock, core, platform, nicknames, options.starts)
        self._silencing = Silencing(
            config, clock, storage, self._replies, self._turns, self._reading, report, options.speaking_again
        )
        self.setting = SettingDesk(storage, options.switched)
        """Changes what admins may change."""
        self._resuming = Resuming(
            clock,
            storage,
            self.rooms,
            self._replies,
            self._turns,
            self._reading,
            platform,
            self,
            self._tasks,
            report,
        )
        storage.on_recovered(lambda: self.spawn(self._database_is_back(), "mishu outage over"))
        privately = Privately(self.rooms, self._replies, platform)
        personal = PersonalDesk(clock, storage, privately)
        table = command_table(
            status=StatusCommands(config, clock, storage, platform, model, options.others),
            decisions=DecisionCommands(clock, storage),
            silences=SilenceCommands(config, clock, self._silencing),
            settings=SettingCommands(self._reading, self.setting, model, options.others),
            quiet=QuietCommands(clock, storage, self.setting),
            personal=personal,
            web=WebDesk(options.web_sessions, privately),
        )
        self._commands = CommandDesk(table, self._replies, personal, report)
        self.notices = PlatformNotices(
            config,
            storage,
            self.rooms,
            self._replies,
            self._turns,
            self._silencing,
            report,
            options.web_sessions,
        )
        self.taking_over = TakingOver(
            clock,
            storage,
            self.rooms,
            self._turns,
            self._duties,
            self,
            self._resuming,
            self._tasks,
            report,
        )

    def hear(self, heard: IncomingMessage) -> Interest:
        """Take a message into the ledger, and say whether `act` may find something to do with it.

        Own messages, messages of groups that are not enabled, empty ones and duplicates go no further.
        """
        sent_file = self._files.wanted(heard)
        if not self._accepts(heard) or not (heard.has_content or sent_file):
            return Interest.NONE
        room = self.rooms.enter(heard.conversation, called=heard.at_bot or not heard.conversation.is_group)
        self._resuming.note_line(heard.conversation)
        message = heard.ledger_message(self._names(room))
        silenced = room.silenced_until(self._clock.wall()) is not None
        recalled = heard.message_id in room.unheard
        if silenced or recalled:
            message = replace(message, processed=True, recalled=recalled)
        if not room.ledger.append(message):
            return Interest.NONE
        self._storage.ledger.append(message)
        if not room.loaded.is_set():
            room.early[message.message_id] = message.receipt
            return Interest.MATTERS
        if recalled or not (heard.message_id in room.ledger or self._is_young(message)):
            return Interest.NONE
        if not silenced and (sent_file or self._voices.wanted(room, heard)):
            return Interest.MATTERS
        interest = self._reading.glance(room, heard, message, silenced)
        called = (silenced or interest is Interest.MATTERS) and self._reading.called(room, heard)
        if silenced and interest is Interest.NONE and called and heard.obeyed:
            self.spawn(self._taken.leave(room, message, Trigger.SUMMON, SILENT), "mishu silent")
        if interest is Interest.MATTERS and called:
            room.note_called(message)
        return interest

    def passes_over(self, heard: IncomingMessage) -> bool:
        """True if a line is talk in a cooldown: noted as the newest skipped one, and `act` is not called. The
        usual case in a watched group."""
        room = self.rooms.find(heard.conversation)
        return room is not None and self._reading.passes_over(room, heard)

    def act(self, heard: IncomingMessage, taken_by: TakenBy | None = None) -> None:
        """Serve a heard message in a task of our own.

        `taken_by`: another plugin that ran for it or answered it without stopping it.
        """
        room = self.rooms.find(heard.conversation)
        if room is not None:
            room.unhanded.pop(heard.message_id, None)
            if taken_by is None:
                self.mark_owed(heard)
        self._in_hand.add((heard.conversation.self_id, heard.message_id))
        self.spawn(self._serve_and_release(heard, taken_by), "mishu serve")

    def mark_owed(self, heard: IncomingMessage, row: LedgerMessage | None = None) -> None:
        """Mark a message that was said to us as owed an answer, at once: a process after a kill has to know,
        and a turn that ends before this one begins must not mark it as processed talk.

        Lines that only their turn shows to be owed are marked there (`Turns.admit`). `row`: the line on disk,
        where another process wrote it.
        """
        room = self.rooms.find(heard.conversation)
        if room is None or not self._is_owed(room, heard):
            return
        room.ledger.update([heard.message_id], addressed=True)
        if (said := row or room.ledger.get(heard.message_id)) is not None:
            room.arrivals.expect(heard.message_id, said.order, self._clock.monotonic())
        if row is not None:
            self.spawn(self._replies.mark_owed(row), "mishu oblige")
        else:
            self._storage.ledger.owe(heard.conversation, [heard.message_id])

    def mark_owed_later(self, heard: IncomingMessage, row: LedgerMessage | None) -> None:
        """As `mark_owed`, of a line that waits behind others: in hand until it is acted on."""
        self._in_hand.add((heard.conversation.self_id, heard.message_id))
        self.mark_owed(heard, row)

    def _is_owed(self, room: Room, heard: IncomingMessage) -> bool:
        if self._reading.called(room, heard) and not self._reading.quotes_another_plugin(room, heard):
            return True
        if not heard.obeyed:
            return False
        ordered = self._command(room, heard) is not None or self._silencing.begins(room, heard)
        if ordered or room.silenced_until(self._clock.wall()) is None:
            return ordered
        message = room.ledger.get(heard.message_id)
        alarms = message is not None and self._reading.emergency_reply(room, heard, message) is not None
        return alarms or self._silencing.ends(room, heard)

    def note_stopped(self, heard: IncomingMessage, by: str, *, poke: bool = False) -> bool:
        """Note that another plugin stopped a message or a poke, for `/秘书 为什么`; True if it called us."""
        room = self.rooms.find(heard.conversation)
        if room is None or not (self._accepts(heard) and heard.obeyed):
            return False
        room.unhanded.pop(heard.message_id, None)
        called = poke or self._reading.called(room, heard)
        if room.loaded.is_set() and room.silenced_until(self._clock.wall()) is None and called:
            message = heard.ledger_message(self._names(room))
            reason = STOPPED.format(plugin=by)
            self.spawn(self._taken.leave(room, message, Trigger.SUMMON, reason), "mishu stopped")
        return called

    def take_poke(self, heard: IncomingMessage, taken_by: TakenBy | None = None) -> None:
        """Serve a poke: a summons without a message. One that another plugin answered is left to it."""
        if self._accepts(heard) and heard.obeyed:
            self.spawn(self._serve_poke(heard, taken_by), "mishu poke")

    def take_upload(self, heard: IncomingMessage) -> None:
        """Store a file that a member put among the group's as a line of the ledger; nobody answers it."""
        if self._accepts(heard):
            self.spawn(self._store_upload(heard), "mishu upload")

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Run a coroutine as a task of the front desk's; `close` ends it."""
        self._tasks.spawn(work, name)

    async def resume(self, self_id: str) -> None:
        """Take up what a former run left unanswered, once an account is connected (`Resuming`)."""
        await self._resuming.resume_account(self_id)

    def release_withheld(self, where: Conversation) -> None:
        """Send the replies withheld in a conversation: the platform takes one there now."""
        self._resuming.release_withheld(where)

    async def prune(self) -> None:
        """The clean-up: old rows leave the database, idle conversations leave memory."""
        self.rooms.sweep()
        monotonic = self._clock.monotonic()
        self._seen = self._seen.then(self._clock.wall(), monotonic)
        if not self._seen.deletes(monotonic):
            return
        try:
            days = self._config.frontdesk.ledger_days
            await self._storage.prune(self._clock.wall(), days)
            if blind := [one for one in self._platform.accounts() if not self._tells_recalls(one)]:
                await self._storage.prune_ledger(self._clock.wall(), min(days, UNRECALLED_DAYS), blind)
        except StorageError as error:
            self._report("清理旧数据没有做完", error)

    def _tells_recalls(self, account: str) -> bool:
        return self._platform.means(Conversation(account, "private", account)).recalls

    def at_rest(self, *, watched: bool = True) -> bool:
        """True if nothing is under way: no task, no turn, nothing held or to be sent.

        With `watched` talk that was skipped, and waits for the end of its cooldown, is something too.
        """
        return not len(self._tasks) and not any(
            room.seat.lock.busy
            or len(room.hold)
            or not room.outbox.idle
            or (watched and room.seat.presence.skipped is not None)
            for room in self.rooms
        )

    async def close(self) -> None:
        """Resolve every hold, end every task, send nothing more. What was not answered is on disk as such."""
        self._closed = True
        self._turns.close(list(self.rooms))
        await self._tasks.close(SHUTDOWN_GRACE)
        await self.rooms.close()

    def is_in_hand(self, message: LedgerMessage) -> bool:
        return (message.conversation.self_id, message.message_id) in self._in_hand

    async def _database_is_back(self) -> None:
        await self._replies.write_memory_claims()
        await self._resuming.take_up_stranded()

    async def _serve_and_release(self, heard: IncomingMessage, taken_by: TakenBy | None) -> None:
        try:
            await self._serve(heard, taken_by)
        except RoomLeft:
            pass  # the line is owed on disk: whoever has the group takes it up
        finally:
            self._in_hand.discard((heard.conversation.self_id, heard.message_id))
            if (room := self.rooms.find(heard.conversation)) is not None:
                room.arrivals.arrive(heard.message_id)

    async def _serve(self, heard: IncomingMessage, taken_by: TakenBy | None) -> None:
        room = await self.rooms.opened(heard.conversation)
        if heard.pressed:
            await self._await_button_message(room, heard.reply_to)
        # Out of memory already, in a small ledger and a busy group, is no reason not to be answered.
        message = room.ledger.get(heard.message_id) or heard.ledger_message(self._names(room))
        if message.recalled or heard.message_id in room.duplicates:
            return
        if not heard.introduced:
            message = await with_sender(room, message, self._card)
            await self._replies.set_sender(message)
        silenced = room.silenced_until(self._clock.wall()) is not None
        if not silenced and self._voices.wanted(room, heard):
            heard = await self._voices.as_text(room, heard)
            message = room.ledger.get(heard.message_id) or message
            if message.recalled:
                return
        if not silenced and self._files.wanted(heard):
            heard = await self._files.as_words(heard)
        if not await self._serve_at_once(room, heard, message):
            if strangers := unknown(room, heard):
                asking = introduced(room, strangers, self._card)
                if message.addressed:
                    await asking
                else:
                    self.spawn(asking, "mishu names")
            await self._reading.look_up_quote(room, heard, self._storage.ledger)
            item = self._reading.item(room, heard, message)
            if message.addressed and (item is None or not item.trigger.obligation):
                await self._replies.mark_processed(heard.conversation, [heard.message_id])  # owed too soon
            if item is not None:
                await self._offer(room, heard, item, taken_by)

    async def _serve_at_once(
        self, room: Room, heard: IncomingMessage, message: LedgerMessage, *, again: bool = False
    ) -> bool:
        """Serve what needs no turn: commands, words that begin or end a silence, all of a silence; False for
        the rest. A command that changes something, or is run `again`, is noted as begun before."""
        if heard.obeyed and (command := self._command(room, heard)) is not None:
            room.ledger.update([heard.message_id], processed=True)
            if again or command.writes:
                await self._replies.mark_tried(message)
            await self._commands.run(room, heard, command)
        elif heard.user_id in room.forgetting and self._reading.leaves_it(room, heard):
            room.ledger.update([heard.message_id], processed=True)
            await self._commands.leave_alone(room, heard)
        elif heard.obeyed and await self._silencing.handle_word(room, heard):
            pass
        elif room.silenced_until(self._clock.wall()) is None:
            return False
        elif (help_said := self._reading.emergency_reply(room, heard, message)) is not None:
            await self._commands.tell(room, heard, help_said)
        else:
            await self._replies.mark_processed(heard.conversation, [heard.message_id])
        return True

    async def serve_again(self, room: Room, message: LedgerMessage, *, told: bool) -> bool:
        """As `_serve_at_once`, of a line that the end of a former run cut off; False also where such a line
        was begun and is no command. `told`: its answer was ready, and has just been sent."""
        superuser = message.user_id in self._superusers()
        heard = stored_line(message, self._clock.monotonic(), superuser=superuser)
        command = self._command(room, heard)
        if told:
            if command is not None:
                await self._commands.finish(room, heard, command)
            return True
        if message.tries < MOST_TRIES:
            return await self._serve_at_once(room, heard, message, again=True)
        if command is not None:
            await self._commands.answer_cut_off(room, heard, command)
        return command is not None

    def is_past_silence(self, room: Room, message: LedgerMessage) -> bool:
        """True if a stored line is answered in a silence too."""
        heard = stored_line(message, self._clock.monotonic(), superuser=False)
        if self._command(room, heard) is not None or self._silencing.wish(room, heard) is not None:
            return True
        return self._reading.emergency_reply(room, heard, message) is not None

    async def _await_button_message(self, room: Room, message_id: str | None) -> None:
        """Wait at most `SENDING` seconds for our message above a pressed button: members may see it
        before the platform has given us its id."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SENDING):
                while room.ledger.get(message_id) is None and not room.outbox.idle:
                    await room.outbox.wait_for_next()

    async def _offer(
        self, room: Room, heard: IncomingMessage, item: TurnItem, taken_by: TakenBy | None
    ) -> None:
        """Give a line its turn; one that another plugin answered or sent gets it only where it is work."""
        quoting = self._reading.quotes_another_plugin(room, heard)
        if taken_by is None and not quoting:
            await self._turns.admit(room, item)
        elif self._taken.is_work(item, taken_by):
            await self._turns.admit(room, replace(item, work_only=True))
        else:
            room.expects.pop(heard.user_id, None)
            if item.trigger.obligation:
                reason = QUOTED if taken_by is None else ANSWERED.format(plugin=taken_by.plugin)
                await self._taken.leave(room, item.message, item.trigger, reason)

    def _command(self, room: Room, heard: IncomingMessage) -> Command | None:
        """The command a message is, with a slash or in plain words."""
        command = parsing.parse(heard.words, feature_names(self._others), self._starts)
        return command or self._reading.spoken_command(room, heard, self._clock.wall())

    def features(self) -> tuple[str, ...]:
        """Names of all features that `/秘书 开` and `关` take."""
        return feature_names(self._others)

    async def _serve_poke(self, heard: IncomingMessage, taken_by: TakenBy | None) -> None:
        room = await self.rooms.opened(heard.conversation)
        if room.silenced_until(self._clock.wall()) is None:
            message = heard.ledger_message(self._names(room))
            message = replace(message, name=room.ledger.name_of(heard.user_id) or message.name)
            if taken_by is not None:
                await self._taken.leave(
                    room, message, Trigger.SUMMON, ANSWERED.format(plugin=taken_by.plugin)
                )
                return
            self._reading.expect(room, heard.user_id)
            item = TurnItem(Trigger.SUMMON, message, "", bare=True, poke=True, heard_at=heard.heard_at)
            await self._turns.admit(room, item)

    async def _store_upload(self, heard: IncomingMessage) -> None:
        room = await self.rooms.opened(heard.conversation)
        message = heard.ledger_message(self._names(room))
        late = room.ledger.since(message.time - SAME_FILE)
        # Some implementations tell of a file twice, as a message and as a notice.
        if any(said.user_id == heard.user_id and same_file(said, message) for said in late):
            return
        name = room.ledger.name_of(heard.user_id) or await self._card(heard.conversation, heard.user_id)
        message = replace(message, name=name or message.name, processed=True)
        if room.ledger.append(message):
            self._storage.ledger.append(message)

    async def _transmit(self, room: Room, speech: Speech) -> str:
        return await self._replies.transmit(room, speech)

    def _take_skipped(self, room: Room, message_id: str) -> None:
        """A cooldown has ended in which messages were skipped: the newest of them is taken now."""
        message = room.ledger.get(message_id)
        if message is None or message.recalled or message.processed or not room.allows("插话"):
            return
        if room.quiet(self._clock.local(self._clock.wall())):
            return
        item = TurnItem(Trigger.CHAT, message, message.text, heard_at=self._clock.monotonic())
        self.spawn(self._turns.admit(room, item), "mishu trailing")

    def _accepts(self, heard: IncomingMessage) -> bool:
        conversation = heard.conversation
        if self._closed or heard.user_id == conversation.self_id:
            return False
        return self._listens(conversation)

    def resumes_in(self, conversation: Conversation) -> bool:
        """True if unfinished lines there are resumed when the account connects; for a group shared with
        other processes its duty does that."""
        return self._listens(conversation) and (not conversation.is_group or self._duties.alone)

    def _listens(self, conversation: Conversation) -> bool:
        return not conversation.is_group or self._config.group_enabled(conversation.peer)

    def _is_young(self, message: LedgerMessage) -> bool:
        return message.time >= self._clock.wall() - RESUMED

    def _names(self, room: Room) -> Callable[[str], str | None]:
        own = room.conversation.self_id
        return lambda user: self._replies.bot_name if user == own else room.ledger.name_of(user)
