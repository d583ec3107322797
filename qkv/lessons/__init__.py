"""What is particular to a lesson, one folder each; only `qkv.by_lesson` looks in.

    lesson_NN/exercises/     EXERCISES, a dict from id to exercise, a file each (how: `qkv.checks`)
    lesson_NN/questions.py   QUESTIONS, a dict from id to question (how: `qkv.questions`)
    lesson_NN/quoted.py      rows(), the numbers that the text quotes (how: `qkv.reproduce`)

An id begins with the lesson's number. A lesson imports nothing from another one.
"""
