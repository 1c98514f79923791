"""Writes the terse names of a hospital's rows out in words, once, when its exports are imported.

Nobody says "LUE Str" or "Resp Pat", so rows with such names are not found by what is said. `expand_names` writes them
out: "Left upper extremity strength", "Respiratory pattern". It says of each word what it became and why; a person can
correct it, and the written-out name becomes a synonym of the row. Nothing is written freely: what a word becomes stands
in the export or in the vocabularies.

What a word is taken for, the first that holds:

1. its row has another name, in which the words are written out (`label`);
2. other rows have, or a text of the export says what it stands for: "level of consciousness (LOC)" (`row`, `text`);
3. the list of abbreviations (docs/vocabulary.md) has one meaning for it (`lexicon`), or several: then the words around
   it decide, those of the group, the options and the unit, and which meaning makes the name that of a bedside concept;
4. it is the beginning of a word, or a word without its vowels ("Ausc", "Drsng"): of a word of its group or its options
   (`group`, `option`), or the only such word in the export and the names of bedside concepts, if that makes the
   name that of a concept (`word`).
5. with it, the whole name is short for that of a bedside concept with the row's options (`concept`). This overrules 3
   of several meanings, and 4; the row's group may supply the rest of the concept's name, which is a further synonym.

A word of which none holds stays as it is, with the meanings that it could have: they are a question for a person. A
letter with which many names begin (a vendor's mark of a row, as in "R HEART RATE") stays, too, and so do letters that
count things ("Newborn B"), units ("mcg/min"), and an abbreviation beside what it stands for.
"""
