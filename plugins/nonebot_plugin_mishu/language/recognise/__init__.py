"""Recognition of things with a value in a text: times, money, numerals, list marks, machine names.

One module or folder for each kind; each takes folded text (`language.text.fold`) and gives spans with values.
Pure; nothing here raises.
"""
