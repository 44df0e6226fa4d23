import Events
import Numbers
import Positioning
import Testing

private func notAllowed(_ name: String) -> SelectionRefusal {
    .notAllowed(name, allowed: ["auto", "knn", "mine", "track"])
}

@Suite("Choosing among the positioners that the operator allows")
struct AllowedPositionersTests {
    private static let allowed = AllowedPositioners(
        standard: "auto", others: ["knn", "auto", "mine", "track"])

    private static func selected(
        _ revision: Int, _ served: String?, _ beside: [String] = []
    ) -> PositionerSelected {
        PositionerSelected(
            site: SiteID("museum"), revision: revision,
            selection: PositionerSelection(served: served, beside: beside),
            selectedAt: Timestamp(microseconds: 0))
    }

    @Test("The default comes first, and each name once")
    func names() { #expect(Self.allowed.names == ["auto", "knn", "mine", "track"]) }

    @Test(
        "A selection names allowed positioners, each once, and at most two beside",
        arguments: [
            (nil, [], nil), (nil, ["knn", "mine"], nil), ("mine", ["auto"], nil),
            ("oracle", [], notAllowed("oracle")), (nil, ["x"], notAllowed("x")),
            ("exec:rm", [], notAllowed("exec:rm")),
            (nil, ["auto"], .namedTwice("auto")), ("knn", ["knn"], .namedTwice("knn")),
            ("auto", ["knn", "knn"], .namedTwice("knn")),
            ("auto", ["knn", "mine", "track"], .tooManyBeside),
        ] as [(String?, [String], SelectionRefusal?)])
    func checked(served: String?, beside: [String], refusal: SelectionRefusal?) {
        var found: SelectionRefusal?
        do throws(SelectionRefusal) {
            try Self.allowed.check(PositionerSelection(served: served, beside: beside))
        } catch { found = error }
        #expect(found == refusal)
    }

    @Test("The one that was served takes the place of the promoted one")
    func promoted() throws {
        let before = PositionerSelection(beside: ["knn", "mine"])
        let after = try Self.allowed.promoting("mine", in: before)
        #expect(after == PositionerSelection(served: "mine", beside: ["knn", "auto"]))
        let back = try Self.allowed.promoting("auto", in: after)
        #expect(back == PositionerSelection(served: "auto", beside: ["knn", "mine"]))
        #expect(throws: SelectionRefusal.notBeside("track")) {
            try Self.allowed.promoting("track", in: before)
        }
    }

    @Test("Without a number the way back leads to the selection before, or to none at all")
    func back() throws {
        let first = Self.selected(1, "knn")
        let known = [Self.selected(3, "gone"), Self.selected(2, "mine"), first]
        #expect(try Self.allowed.former(nil, of: known).served == "mine")
        #expect(try Self.allowed.former(1, of: known).served == "knn")
        #expect(try Self.allowed.former(nil, of: [first]) == PositionerSelection())
        #expect(throws: SelectionRefusal.noFormer(nil)) { try Self.allowed.former(nil, of: []) }
        #expect(throws: SelectionRefusal.noFormer(7)) { try Self.allowed.former(7, of: known) }
        #expect(throws: notAllowed("gone")) {
            try Self.allowed.former(3, of: known)
        }
    }

    @Test(
        "Ten selections an hour are free, ten more are for going back, the default always is",
        arguments: 0...25)
    func pace(count: Int) {
        let known = (0..<count).reversed().map { Self.selected($0 + 1, "knn") }
        for minutes in [0, 59, 60] {
            let moment = Timestamp(microseconds: Int64(minutes) * 60_000_000)
            func isFree(_ selection: PositionerSelection, isReturn: Bool = false) -> Bool {
                (try? Self.allowed.checkPace(
                    to: selection, of: known, isReturn: isReturn, at: moment)) != nil
            }
            let mine = PositionerSelection(served: "mine")
            #expect(isFree(mine) == (minutes == 60 || count < 10))
            #expect(isFree(mine, isReturn: true) == (minutes == 60 || count < 20))
            #expect(isFree(PositionerSelection()))
            #expect(isFree(PositionerSelection(served: "auto")))
        }
    }

    @Test("The default's own name is no way around the limit")
    func alias() {
        let known = (0..<30).reversed().map { Self.selected($0 + 1, nil) }
        #expect(throws: SelectionRefusal.tooMany(10, seconds: 3_600)) {
            try Self.allowed.checkPace(
                to: PositionerSelection(served: "auto"), of: known, isReturn: false,
                at: Timestamp(microseconds: 0))
        }
    }

    @Test("No way of asking for the default makes more than two events at the limit")
    func defaults() {
        let moment = Timestamp(microseconds: 0)
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            var known = (0..<10).reversed().map { Self.selected($0 + 1, "mine") }
            for _ in 0..<20 {
                let names = [nil, "auto", "knn", "mine"]
                let asked = PositionerSelection(
                    served: names[Int.random(in: 0..<names.count, using: &random)])
                let present = known[0].selection
                guard asked != present else { continue }
                let isFree =
                    (try? Self.allowed.checkPace(
                        to: asked, of: known, isReturn: false, at: moment)) != nil
                // The empty selection is always free, and the default's name from another one.
                #expect(
                    isFree
                        == (asked.served == nil
                            || asked.served == "auto" && present.served == "mine"))
                if isFree { known.insert(Self.selected(known.count + 1, asked.served), at: 0) }
            }
            #expect(known.count <= 12)
        }
    }

    @Test("A name that is no longer allowed is left out, and a served one gives way to the default")
    func left() {
        let gone = PositionerSelection(served: "gone", beside: ["knn", "auto", "old"])
        #expect(Self.allowed.allowed(gone) == PositionerSelection(beside: ["knn"]))
        let fine = PositionerSelection(served: "knn", beside: ["auto"])
        #expect(Self.allowed.allowed(fine) == fine)
    }
}
