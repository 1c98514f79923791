import time
from app import paths
from app.settings import Settings, save_settings
from PySide6.QtWidgets import QApplication
from tests.fakes_app import *
from tests.gui.conftest import Ward
from tests.gui.test_responsive import Heartbeat
from app.sheet import Entry, Overview
def test_demo(qtbot, tmp_path):
    save_settings(Settings(theme="light"), paths.config_file())
    h=Heartbeat(); h.start()
    t=time.monotonic(); ward=Ward(qtbot, FakeEngine(), tmp_path); print("\nwindow", time.monotonic()-t)
    ward.until_ready(); print("ready", time.monotonic()-t, "gap", h.longest)
    print(len(ward.workbench.schema.rows), ward.workbench.schema.name)
    ward.add_patient()
    ward.open_text("x.txt","nothing of note"); 
    ward.until(lambda: ward.window.message.text or ward.window.page.reviewable); print(ward.window.message.text)
    from ui.add_row import AddRowDialog, search_rows
    sc=ward.workbench.schema
    from app.sheet import Sheet
    t=time.monotonic(); print(len(search_rows(sc,"heart ra"))); print("search",time.monotonic()-t)
    print([ (r.name) for r in search_rows(sc,"pulse")[:8]])
    print({r.unit for r in sc.rows}, {(r.unit,r.ucum) for r in sc.rows if r.unit!=r.ucum})
    ward.close()
def test_many(review):
    w=review.window
    e=w._overview.entries[0]
    import dataclasses
    es=tuple(dataclasses.replace(e, dictation=dataclasses.replace(e.dictation,id=1000-i)) for i in range(1000))
    t=time.monotonic(); w._show_overview(Overview(w._overview.patients, es)); print("\n1000 entries", time.monotonic()-t)
    t=time.monotonic(); QApplication.processEvents(); print("paint", time.monotonic()-t)
