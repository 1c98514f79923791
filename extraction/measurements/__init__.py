"""What was measured, as values of rows, bound once and before anything is asked.

Numbers that are said with their name, and peripheral lines that are told by size and place, need no language model. A
row whose value is bound is not asked (`extraction.filling.rowwise`); the rule `extraction.rules.spoken_measurements`
proposes what is bound. May import `filling` and anything below it.
"""
