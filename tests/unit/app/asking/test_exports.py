"""An answer in a file, however many sources its figures have."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.asking.answer import Answer, Cell, Citation, Column, Kind, Line
from app.services.asking.exports import save_answer
from app.services.asking.jobs import Asked
from extraction.questions.query import Understood
from tests.unit.app.asking.conftest import NOW, REVIEWER, Ward


@pytest.mark.parametrize("name", ["answer.pdf", "answer.csv"])
def test_a_figure_of_many_values_names_each_of_them(ward: Ward, tmp_path: Path, name: str) -> None:
    ids = tuple(range(1, 400))
    cited = {
        one: Citation(one, 1, 1, "=said.txt", "hr", "Heart rate", "90 /min", NOW, False, REVIEWER, "") for one in ids
    }
    line = Line((Cell(90.0, "90 /min", "/min", NOW, ids, "sum of 399 values / 399 = 90 /min"),), 1, "=Ann Lee", "4")
    answer = Answer(Kind.TABLE, "1 of 1 patient.", None, NOW, (Column("Mean heart rate"),), (line,), citations=cited)
    save_answer(Asked(Understood("", None), answer), tmp_path / name, ward.store.questions, ward.schema)
    data = (tmp_path / name).read_bytes()
    assert data.startswith(b"%PDF") or (b"value 399: Heart rate" in data and b",'=Ann Lee," in data)
