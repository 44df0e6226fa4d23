import Accuracy
import Foundation
import FoundationXML
import Geometry
import SeededRandomness
import Testing

@Suite struct AccuracyPlotTests {
    private static let wrongFloor = "#a000a0"

    private func judged(
        _ random: inout SeededRandom, floor: String = "F1", found: String? = "F1",
        radius68: Double? = 3, radius95: Double? = 5
    ) -> JudgedEstimate {
        func place(_ floor: String) -> JudgedEstimate.Place {
            JudgedEstimate.Place(
                building: nil, floor: floor, room: nil,
                point: Point(
                    x: Double(random.next() % 400) / 10, y: Double(random.next() % 200) / 10))
        }
        return JudgedEstimate(
            truth: place(floor), estimate: found.map(place), fallback: Point(x: 20, y: 10),
            radius68: radius68, radius95: radius95)
    }

    private func series(
        _ name: String, _ count: Int, floor: String = "F1", found: String? = "F1",
        radius: Double? = 3
    ) -> AccuracyPlot.Series {
        var random = SeededRandom(seed: 3)
        return AccuracyPlot.Series(
            name: name,
            judged: (0..<count).map { _ in
                judged(
                    &random, floor: floor, found: found, radius68: radius,
                    radius95: radius.map { $0 * 1.6 })
            })
    }

    @Test("The picture is valid XML with all positioners' names, whatever characters they have")
    func names() throws {
        let names = ["knn", "exec:python3 <mine> & \"yours\".py\u{01}", "Ünïted 'k=5'"]
        let plot = AccuracyPlot(title: "a < b", series: names.map { series($0, 40) })
        let picture = try Picture(plot.svg())
        #expect(picture.texts.contains("a < b"))
        for name in names {
            #expect(picture.texts.contains(name.replacing("\u{01}", with: " ")))
        }
        #expect(picture.count("polyline") == 2 * names.count)
        #expect(throws: (any Error).self) { try Picture(plot.svg().replacing("&lt;", with: "<")) }
    }

    @Test("Each scan is a line on its floor's map; one that is lost or on a wrong floor is a ring")
    func maps() throws {
        let right = series("one", 7)
        let other = series("one", 5, floor: "F2", found: "F1")
        let lost = series("one", 3, floor: "F2", found: nil)
        let plot = AccuracyPlot(
            title: "set",
            series: [.init(name: "one", judged: right.judged + other.judged + lost.judged)],
            floors: [
                "F1": .init(
                    rooms: [[Point(x: 0, y: 0), Point(x: 40, y: 0), Point(x: 40, y: 20)]],
                    surveyed: [Point(x: 1, y: 1), Point(x: 2, y: 1)])
            ])
        let picture = try Picture(plot.svg())
        #expect(picture.texts.contains("floor F1") && picture.texts.contains("floor F2"))
        #expect(picture.count("line") { $0["stroke-opacity"] != nil } == 7)
        // The legend has one more ring.
        #expect(picture.count("circle") { $0["stroke"] == Self.wrongFloor } == 8 + 1)
        #expect(picture.count("circle") { $0["r"] == "1.2" } == 2)
        #expect(picture.count("polygon") == 1)
        #expect(picture.texts.contains { $0.contains("5 on a wrong floor · 3 lost") })
    }

    @Test("No text runs into another one or out of the picture", arguments: [1, 4, 30])
    func spacing(floors: Int) throws {
        let judged = (0..<floors).flatMap { number -> [JudgedEstimate] in
            let floor = "building-\(number)-with-a-long-floor-name"
            return [
                series("a", 800, floor: floor, found: floor),
                series("a", 300, floor: floor, found: "F1"),
                series("a", 290, floor: floor, found: nil),
            ].flatMap(\.judged)
        }
        let name = String(repeating: "nearest ", count: 9)
        let plot = AccuracyPlot(
            title: "set", series: [.init(name: name, judged: judged)],
            groundPerReportedMetre: 0.05)
        let picture = try Picture(plot.svg())
        let boxes = picture.labels.map { label in
            // Letters of DejaVu Sans are about so wide on average; bold ones are wider.
            let share = label.attributes["font-weight"] == nil ? 0.58 : 0.65
            func number(_ name: String) -> Double { Double(label.attributes[name] ?? "") ?? .nan }
            let (size, width) = (number("font-size"), share * number("font-size"))
            let length = width * Double(label.text.count)
            let left =
                switch label.attributes["text-anchor"] {
                case "middle": number("x") - length / 2
                case "end": number("x") - length
                default: number("x")
                }
            return (
                text: label.text, x: left...(left + length),
                y: (number("y") - 0.8 * size)...(number("y") + 0.2 * size)
            )
        }
        #expect(boxes.count > 30)
        for (index, box) in boxes.enumerated() {
            #expect(box.x.lowerBound >= 0 && box.x.upperBound <= 1_200, "\(box.text)")
            for other in boxes[..<index] {
                let isApart = !box.x.overlaps(other.x) || !box.y.overlaps(other.y)
                #expect(isApart, "\(box.text) / \(other.text)")
            }
        }
    }

    @Test("A large set is thinned out evenly, and the picture states it")
    func limits() throws {
        let plot = AccuracyPlot(title: "set", series: [series("many", 20_000)])
        let picture = try Picture(plot.svg())
        #expect(picture.count("line") { $0["stroke-opacity"] != nil } == 700)
        #expect(picture.texts.contains { $0.contains("20000 scans") && $0.contains("700 drawn") })
        #expect(plot.svg().utf8.count < 400_000)
    }

    @Test("The calibration's dots are the shares of true places within the radii", arguments: 0..<5)
    func calibration(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let judged = (0..<50).map { _ in
            let radius = Double(random.next() % 200) / 10
            return self.judged(&random, radius68: radius, radius95: radius * 2)
        }
        let picture = try Picture(
            AccuracyPlot(title: "set", series: [.init(name: "one", judged: judged)]).svg())
        let dots = picture.elements.filter { $0.name == "circle" && $0.attributes["r"] == "4.5" }
            .compactMap { $0.attributes["cy"].flatMap(Double.init) }
        let summary = AccuracySummary(judged)
        // Both dots lie on one axis; 0 and 100 % are where the diagonal ends.
        let diagonal = try #require(
            picture.elements.first { $0.attributes["stroke-dasharray"] == "4 4" })
        let zero = try #require(diagonal.attributes["y1"].flatMap(Double.init))
        let one = try #require(diagonal.attributes["y2"].flatMap(Double.init))
        let shares = dots.map { ($0 - zero) / (one - zero) }
        #expect(shares.count == 2)
        #expect(abs(shares[0] - summary.within68!) < 0.001)
        #expect(abs(shares[1] - summary.within95!) < 0.001)
    }

    @Test("Positioners without radii, without positions and without scans are drawn too")
    func empty() throws {
        let without = AccuracyPlot(title: "set", series: [series("plain", 9, radius: nil)])
        #expect(try Picture(without.svg()).texts.contains("no radii were given"))
        let lost = AccuracyPlot(title: "set", series: [series("lost", 9, found: nil)])
        #expect(try Picture(lost.svg()).texts.contains { $0.contains("9 lost") })
        let none = AccuracyPlot(title: "set", series: [series("none", 0)])
        #expect(try Picture(none.svg()).texts.contains("none"))
    }
}

/// The elements of an SVG picture, read by a separate XML parser.
private final class Picture: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
    }

    private(set) var elements: [Element] = []
    private(set) var texts: [String] = []
    /// The texts that are not turned, with their attributes.
    private(set) var labels: [(text: String, attributes: [String: String])] = []
    private var text = ""

    init(_ svg: String) throws {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        guard parser.parse() else {
            throw parser.parserError ?? CocoaError(.propertyListReadCorrupt)
        }
    }

    func count(_ name: String, where holds: ([String: String]) -> Bool = { _ in true }) -> Int {
        elements.count { $0.name == name && holds($0.attributes) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elements.append(Element(name: name, attributes: attributes))
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard name == "text" else { return }
        texts.append(text)
        if let attributes = elements.last?.attributes, attributes["transform"] == nil {
            labels.append((text, attributes))
        }
    }
}
