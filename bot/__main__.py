"""`python -m bot`: start the bot; `python -m bot explain …`: how the local rules read a sentence;
`replay`: conversations with expected results; `evaluate`: messy talk against the configured model; `backup`,
`restore`, `move`: the database; `pictures`: the console's pages for the README."""

from __future__ import annotations

import gc
import sys

USAGE = """\
用法：
  python -m bot                      启动机器人
  python -m bot explain [句子…] [--json] [--now 时间] [--zone 时区]
                                     看本地规则怎样读一句话，没有句子时逐行读标准输入
  python -m bot replay [文件…]       重放样例对话，比较结果，没有文件时用 samples
  python -m bot backup 文件          备份数据库，机器人开着也行
  python -m bot restore 文件 [--replace]
                                     恢复备份；那里已有数据时要写 --replace
  python -m bot move 数据库地址      把数据搬到另一个数据库（SQLite 和 PostgreSQL 互搬）
  python -m bot evaluate [文件…] [--json]
                                     拿样例对话考一考配置好的模型，没有文件时用 samples/evaluate
  python -m bot pictures [目录] [--all]
                                     拿编造的数据给网页拍照，没有目录时拍进 docs/pictures"""


def main(arguments: list[str]) -> int:
    """Dispatch a command line; the exit code. Each command imports what it needs and no more."""
    if not arguments:
        gc.disable()  # an eighth of the start went to looking at what stays; `start` enables it again
        from .start import main as start

        return start()
    if arguments[0] == "explain":
        from .explain import main as explain

        return explain(arguments[1:])
    if arguments[0] == "replay":
        from .replay import main as replay

        return replay(arguments[1:])
    if arguments[0] in ("backup", "restore", "move"):
        from .operations import main as operate

        return operate(arguments[0], arguments[1:])
    if arguments[0] == "evaluate":
        from .evaluate import main as evaluate

        return evaluate(arguments[1:])
    if arguments[0] == "pictures":
        from .pictures import main as pictures

        return pictures(arguments[1:])
    if arguments[0] in ("-h", "--help", "help"):
        print(USAGE)
        return 0
    print(f"没有「{arguments[0]}」这个命令。\n{USAGE}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
