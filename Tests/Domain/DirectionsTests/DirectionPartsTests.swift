import Events
import Foundation
import Geometry
import Repository
import Site
import Testing

@testable import Directions

@Suite("Parts of directions") struct DirectionPartsTests {
    @Test("A turn follows from its angle, in whatever range that is given")
    func turns() {
        let turns = [0, 24, 30, -30, 90, -90, 450, 140, -140, 180, -179].map { Turn(degrees: $0) }
        #expect(
            turns == [
                .straight, .straight, .slightRight, .slightLeft, .right, .left, .right, .sharpRight,
                .sharpLeft, .around, .around,
            ])
    }

    @Test("Each bearing has its nearest point of the compass", arguments: 0..<720)
    func compass(degrees: Int) {
        let point = CompassPoint(bearingDegrees: Double(degrees - 360))
        let expected = CompassPoint.allCases.enumerated().min { left, right in
            func off(_ index: Int) -> Double {
                abs(signedDegrees(Double(degrees) - Double(index) * 45))
            }
            return off(left.offset) < off(right.offset)
        }
        #expect(point == expected?.element)
    }

    @Test("Longer distances are rounded more")
    func distances() {
        let spoken = [0.4, 0.6, 19.4, 19.6, 52, 97.4, 98, 994, 995, 1_249].map {
            SpokenDistance(metres: $0)
        }
        #expect(
            spoken == [
                nil, .metres(1), .metres(19), .metres(20), .metres(50), .metres(95), .metres(100),
                .metres(990), .tenthsOfKilometre(10), .tenthsOfKilometre(12),
            ])
        #expect(decimalText(1.05, separator: ",") == "1,05")
        #expect(decimalText(-0.001, separator: ",") == "0")
        #expect(decimalText(1, separator: ",") == "1")
    }

    @Test("The table of distances, which the app's test reads too, is this rounding")
    func table() throws {
        let file = repository.appending(path: "Tests/Domain/Golden/distances.txt")
        let rows = try String(decoding: Data(contentsOf: file), as: UTF8.self)
            .split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        #expect(rows.count > 30)
        for row in rows {
            let words =
                switch SpokenDistance(metres: try #require(Double(row[0]))) {
                case .metres(let count): "\(count) m"
                case .tenthsOfKilometre(let tenths):
                    "\(decimalText(Double(tenths) / 10, separator: ".")) km"
                case nil: "-"
                }
            #expect(words == row[1], "\(row[0])")
        }
    }

    @Test("The language is the first wanted one with directions, else English")
    func matching() {
        func code(_ tags: String...) -> String { DirectionLanguages.matching(tags).code }
        #expect(code("fr", "cy-GB", "en") == "cy")
        #expect(code("DE-at") == "de")
        #expect(code("fr", "*") == "en")
        #expect(code() == "en")
        #expect(DirectionLanguages.matching(["fr", "*"]).codeOfNames == "fr")
        #expect(DirectionLanguages.matching(["fr", "de"]).codeOfNames == "de")
        #expect(Set(DirectionLanguages.all.map(\.code)).count == DirectionLanguages.all.count)
    }

    @Test(
        "A name is in the language, its base or a variety of it, else as in the record")
    func names() {
        let names = Translations(["de": "Halle", "cy-GB": "Neuadd"])
        #expect(names.text(in: "de-CH") == "Halle")
        #expect(names.text(in: "cy") == "Neuadd")
        #expect(names.text(in: "en") == nil)
    }

    @Test("Times on other days have their date, before 1970 too")
    func clock() {
        func text(_ seconds: Int64, offset: Int = 0) -> String {
            LocalClock(now: Timestamp(milliseconds: 1), utcOffsetSeconds: offset).text(
                Timestamp(milliseconds: seconds * 1_000), English.dates)
        }
        #expect(text(86_399) == "23:59")
        #expect(text(86_400) == "2 January 00:00")
        #expect(text(-1) == "31 December 1969 23:59")
        #expect(text(951_782_400) == "29 February 2000 00:00")
        #expect(text(82_800, offset: 3_600) == "2 January 00:00")
    }

    @Test("A simplified line keeps only the corners that matter")
    func simplifying() {
        let points = [(0, 0), (5, 0.2), (10, 0), (10, 5), (10.3, 7), (10, 10)].map {
            Point(x: $0.0, y: $0.1)
        }
        #expect(simplified(points, within: 0.75) == [points[0], points[2], points[5]])
        #expect(simplified(points, within: 0.1) == points)
        #expect(simplified([points[0]], within: 1) == [points[0]])
    }
}
