"""Search, cards, the directory, and the buttons for back and forward."""

from between import MARKUP
from keys import ARROW_DOWN, ENTER
from page import Page
from subject import Subject


class Search(Subject):
    def a_search_finds_a_room(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.focus(".search input")
            page.keys("lab 2.s05")
            page.until("return /2\\.S05/.test((document.querySelector('.search [role=option]') || {})"
                       ".textContent)")
            page.keys(ARROW_DOWN)
            page.until("""
                var id = document.querySelector('.search input').getAttribute('aria-activedescendant');
                return id && document.getElementById(id).getAttribute('aria-selected') === 'true';""")
            page.keys(ENTER)
            page.until("return location.search.indexOf('room=2.S05') >= 0")
            page.until("return /2.S05/.test((document.querySelector('.content h1') || {}).textContent)")
            page.until("return whereabouts.view.floorID === 'floor-2'")
            page.until("return whereabouts.view.layer.litKey === 'area/2.S05'")

    def nothing_found_is_said(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.focus(".search input")
            page.keys("qqqqxyzzy")
            page.until("return document.querySelector('.search .note') !== null")
            page.until("return /qqqqxyzzy/.test(document.getElementById('told').textContent)")

    def back_and_forward_show_again(self):
        with Page(self.at) as page:
            page.open("/s/bush-house")
            page.run("document.querySelectorAll('.quick button')[1].click()")
            page.until("return location.search.indexOf('panel=directory') > 0")
            page.click(".group summary")
            page.click(".group .line")
            page.until("return location.search.indexOf('room=') > 0")
            page.settled()
            title = page.text(".content h1")
            page.back()
            page.until("return document.querySelector('.group') !== null")
            page.back()
            page.until("return document.querySelector('.quick') !== null")
            page.forward()
            page.until("return document.querySelector('.group') !== null")
            page.forward()
            page.until("return (document.querySelector('.content h1') || {}).textContent"
                       " === arguments[0]", 60, title)

    def names_of_strangers_stay_text(self):
        self.between.marked = True
        with Page(self.at) as page:
            page.open("/s/bush-house")
            for path in ("", "?room=0.N03", "?panel=directory", "?from=0.N01&to=2.S05"):
                page.show("/s/bush-house" + path)
                page.run("document.querySelectorAll('.group').forEach(function (one) {"
                         "one.open = true; })")
                page.settled()
                assert page.run("return window.hit === undefined"), path
                found = "return document.querySelectorAll('#page img, #page script').length"
                assert page.run(found) == 0
            page.show("/s/bush-house?room=0.N03")
            page.until("return (document.querySelector('.content h1') || {}).textContent"
                       ".indexOf(arguments[0]) >= 0", 60, MARKUP)
            page.focus(".search input")
            page.keys("kitchen")
            page.until("return ((document.querySelector('.search [role=option] strong') || {})"
                       ".textContent || '').indexOf(arguments[0]) >= 0", 60, MARKUP)
            assert page.run("return window.hit === undefined")
