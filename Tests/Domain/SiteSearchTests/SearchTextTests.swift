import Testing

@testable import SiteSearch

@Suite("SearchText") struct SearchTextTests {
    @Test(
        "Case and diacritics are removed in every alphabet",
        arguments: [
            ("Tŷ Coffi", "ty coffi"), ("Dŵr", "dwr"), ("Ystafell gyfarfod", "ystafell gyfarfod"),
            ("STRASSE", "strasse"), ("Straße", "strasse"), ("GRÖẞE", "grosse"),
            ("Müller", "muller"), ("Mu\u{308}ller", "muller"), ("Crème Brûlée", "creme brulee"),
            ("Łódź", "lodz"), ("København", "kobenhavn"), ("Ærø", "aero"), ("İstanbul", "istanbul"),
            ("ΒΙΒΛΙΟΘΉΚΗΣ", "βιβλιοθηκησ"), ("βιβλιοθήκης", "βιβλιοθηκησ"),
            ("Ёлка", "елка"), ("Đặng", "dang"), ("٦٠١", "601"), ("６０１", "601"), ("مكتبة", "مكتبة"),
        ])
    func folding(text: String, folded: String) {
        let words = SearchText(text).questionWords.map { $0[0] }
        #expect(words == folded.split(separator: " ").map { SearchWord(String($0)) })
    }

    @Test(
        "Umlauts may be written out",
        arguments: [
            ("München", "muenchen"), ("Mu\u{308}nchen", "muenchen"), ("Ängste", "aengste"),
            ("Ørsted", "oersted"), ("Århus", "aarhus"), ("A\u{30A}rhus", "aarhus"),
        ])
    func writtenOut(text: String, written: String) {
        #expect(SearchText(text).questionWords[0].contains(SearchWord(written)))
        #expect(SearchText(text).nameWords.contains(SearchWord(written)))
        #expect(SearchText(text).nameWords.count == 2)
    }

    @Test(
        "A name is found by its pieces, and a room number from any piece onwards",
        arguments: [
            ("(S)6.01", "s601 601 01"), ("BH (S)6.01", "bh bhs601 s601 601 01"),
            ("Room 6", "room room6 6"), ("King's", "king s kings"),
            ("Coffee-Shop", "coffee shop coffeeshop"), ("K4U", "k4u 4u u"),
            ("図書館", "図 書 館 図書館"), ("!?", ""), ("", ""),
        ])
    func names(text: String, words: String) {
        let expected = Set(words.split(separator: " ").map { SearchWord(String($0)) })
        #expect(SearchText(text).nameWords == expected)
    }

    @Test(
        "Spaces separate a query's words; stops within a number do not count",
        arguments: [
            ("BH S6.01", "bh s601"), ("(S)6.01", "s601"), ("6.01", "601"), ("king's", "kings"),
            ("coffee-shop", "coffee shop"), ("lab  LAB", "lab"), ("図書館", "図 書 館"), (" - ", ""),
        ])
    func questions(text: String, words: String) {
        let expected = words.split(separator: " ").map { [SearchWord(String($0))] }
        #expect(SearchText(text).questionWords == expected)
    }

    @Test("Long words are cut off, and chunks of stops alone have few pieces")
    func limits() {
        let long = SearchText(String(repeating: "a", count: 5_000)).nameWords
        #expect(long == [SearchWord(String(repeating: "a", count: 40))])
        let stops = SearchText(String(repeating: "1.", count: 5_000)).nameWords
        #expect(stops.count == 8)
    }
}
