"""What stands in a text as a thing with a value: times, money, numerals, marks of lists, names of machines.

One module or folder for each kind; each takes text in one form (`language.text.fold`) and gives spans with values.
Pure; nothing here raises.
"""
