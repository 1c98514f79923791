from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from tests.fakes_app import *
from app.settings import Settings, save_settings
from app import paths


def test_a(review):
    w = review.window

    def shot(n, x=None):
        QApplication.processEvents()
        (x or w).grab().save(f"/tmp/w/t_{n}.png")

    review.choose("breath")
    shot("multi")
    review.choose("foley")
    shot("dt")
    review.choose("alarm")
    shot("yn")
    review.choose("bp")
    shot("bp")
    review.choose("painsite")
    review.key(Qt.Key.Key_E)
    review.type("left")
    shot("text")
    review.in_dialog(lambda: review.click(w.banner.choose), lambda d: shot("patient", d))

    def s(d):
        d.search.setText("vis")
        shot("add", d)

    review.in_dialog(lambda: review.click(w.page.add), s)
    review.choose("hr")
    review.key(Qt.Key.Key_A)
    review.until(lambda: w.page.export.isEnabled())

    def ex(d):
        shot("export0", d)
        d.folder.setText(str(review.folder / "o"))
        d.export.click()
        review.until(lambda: d.written.isVisible())
        shot("export", d)

    review.in_dialog(lambda: review.click(w.page.export), ex)
    review.in_dialog(lambda: w.dialogs.settings(), lambda d: shot("settings", d))
    review.window._choose_theme("dark", save=False)
    review.in_dialog(lambda: w.dialogs.settings(), lambda d: shot("settings_dark", d))
    review.choose("breath")
    shot("multi_dark")


def test_b(new_ward):
    e = FakeEngine()
    e.before_fill.append(die)
    ward = new_ward(e)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: ward.window.message.text)
    QApplication.processEvents()
    ward.window.grab().save("/tmp/w/t_fail.png")
    e.before_fill.append(break_down)
    ward.click(ward.window.message.act)
    ward.until(lambda: "itself" in ward.window.message.text)
    QApplication.processEvents()
    ward.window.grab().save("/tmp/w/t_bug.png")
