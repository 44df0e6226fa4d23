import Glibc

extension HeightGrid {
    /// Reads a grid.
    ///
    /// - Throws: `ImportRefusal` with the line of the first fault.
    public init(utf8 bytes: [UInt8]) throws(ImportRefusal) {
        guard bytes.count <= Self.mostBytes else {
            throw ImportRefusal(.tooLarge, "the grid has over \(Self.mostBytes >> 20) MB")
        }
        var words = GridWords(bytes)
        let header = try GridHeader(&words)
        let count = header.columns * header.rows
        var cells: [Float] = []
        cells.reserveCapacity(min(count, bytes.count / 2 + 1))
        var lines = GridLines(columns: header.columns)
        while let word = words.next() {
            lines.count(words.line)
            guard cells.count < count else {
                throw lines.fault(
                    "there are more heights than \(header.columns) x \(header.rows)", words)
            }
            cells.append(Float(try header.height(word, number: cells.count, words)))
        }
        lines.count(nil)
        guard cells.count == count else {
            throw lines.fault(
                "there are \(cells.count) heights, not \(header.columns) x \(header.rows)", words)
        }
        self.init(
            columns: header.columns, rows: header.rows, west: header.west, south: header.south,
            width: header.width, height: header.cellHeight, cells: cells)
    }
}

/// The lines of heights. Most grids have a row in each, and so a missing height is in the first
/// line of another length.
private struct GridLines {
    private let columns: Int
    private var line = 0
    private var heights = 0
    private var odd: (line: Int, heights: Int)?

    init(columns: Int) { self.columns = columns }

    /// Counts a height of the line; nil at the end of the file.
    mutating func count(_ line: Int?) {
        if line != self.line {
            if self.line > 0, odd == nil, heights != columns { odd = (self.line, heights) }
            (self.line, heights) = (line ?? 0, 0)
        }
        heights += 1
    }

    func fault(_ detail: String, _ words: GridWords) -> ImportRefusal {
        guard let odd else { return words.fault(detail) }
        return words.fault("\(detail); this line has \(odd.heights)", line: odd.line)
    }
}

/// The words of a file, with the line of the last one.
struct GridWords {
    /// A longer word is no number.
    static let longest = 64

    private let bytes: [UInt8]
    private var place = 0
    private(set) var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> ArraySlice<UInt8>? {
        var lineBreaks = 0
        while place < bytes.count, Self.isSpace(bytes[place]) {
            if bytes[place] == 0x0A { lineBreaks += 1 }
            place += 1
        }
        guard place < bytes.count else { return nil }
        line += lineBreaks
        let start = place
        while place < bytes.count, !Self.isSpace(bytes[place]) { place += 1 }
        return bytes[start..<place]
    }

    /// Goes back to before a word that was read last.
    mutating func unread(_ word: ArraySlice<UInt8>) { place = word.startIndex }

    /// Whether the line of the last word has another one.
    var hasMoreInLine: Bool {
        bytes[place...].first { !Self.isSpace($0) || $0 == 0x0A }.map { $0 != 0x0A } ?? false
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// - Parameter line: the line of the fault; nil for that of the last word.
    func fault(_ detail: String, line: Int? = nil) -> ImportRefusal {
        ImportRefusal(.malformed, "line \(line ?? self.line): \(detail)")
    }

    static func text(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word.prefix(longest), as: UTF8.self)
    }

    /// Whether the word stands for a missing height.
    static func isMissing(_ word: ArraySlice<UInt8>) -> Bool {
        let text = text(word).lowercased()
        return text == "nan" || text == "-nan"
    }

    /// A decimal number, with or without an exponent; nil for another word.
    static func number(_ word: ArraySlice<UInt8>) -> Double? {
        guard word.count <= longest, let first = word.first, let last = word.last,
            word.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
            first != 0x65, first != 0x45, (0x30...0x39).contains(last) || last == 0x2E
        else { return nil }
        return Double(text(word)).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// The numbers in the first lines of a grid, with the line of each.
private struct GridValues {
    private static let names: Set<String> = [
        "ncols", "nrows", "xllcorner", "xllcenter", "yllcorner", "yllcenter", "cellsize", "dx",
        "dy", "nodata_value",
    ]

    private var values: [String: Double] = [:]
    private var lines: [String: Int] = [:]

    init(_ words: inout GridWords) throws(ImportRefusal) {
        while let word = words.next() {
            let name = GridWords.text(word).lowercased()
            guard Self.names.contains(name) else {
                // The first height ends the header.
                guard GridWords.number(word) != nil || GridWords.isMissing(word) else {
                    throw words.fault("this is no line of an ESRI ASCII grid: \(shown(name))")
                }
                words.unread(word)
                return
            }
            guard values[name] == nil else { throw words.fault("\(name) is stated twice") }
            lines[name] = words.line
            guard words.hasMoreInLine, let value = words.next(),
                let number = Self.value(value, of: name)
            else { throw fault(name, "\(name) must have a number") }
            values[name] = number
        }
    }

    /// Only a missing height may be no number.
    private static func value(_ word: ArraySlice<UInt8>, of name: String) -> Double? {
        if name == "nodata_value", GridWords.isMissing(word) { return .nan }
        return GridWords.number(word)
    }

    subscript(name: String) -> Double? { values[name] }

    func needed(_ name: String) throws(ImportRefusal) -> Double {
        guard let value = values[name] else { throw fault(name, "\(name) is missing") }
        return value
    }

    func count(_ name: String) throws(ImportRefusal) -> Int {
        let value = try needed(name)
        guard value >= 1, value <= Double(HeightGrid.mostCells), value == value.rounded() else {
            throw fault(name, "\(name) must be 1 to \(HeightGrid.mostCells)")
        }
        return Int(value)
    }

    /// A fault of the line that has this name.
    func fault(_ name: String, _ detail: String) -> ImportRefusal {
        ImportRefusal(
            .malformed, "\(lines[name].map { "line \($0)" } ?? "the header"): \(detail)")
    }
}

/// The first lines of a grid.
struct GridHeader {
    let columns: Int
    let rows: Int
    let west: Double
    let south: Double
    let width: Double
    let cellHeight: Double
    /// The number that stands for a missing height.
    private let missing: Double?

    init(_ words: inout GridWords) throws(ImportRefusal) {
        let values = try GridValues(&words)
        (columns, rows) = (try values.count("ncols"), try values.count("nrows"))
        guard columns * rows <= HeightGrid.mostCells else {
            throw ImportRefusal(
                .tooLarge, "\(columns) x \(rows) are over \(HeightGrid.mostCells) heights")
        }
        let isSquare = values["dx"] == nil || values["cellsize"] != nil
        let sizes = isSquare ? ["cellsize", "cellsize"] : ["dx", "dy"]
        (width, cellHeight) = (try values.needed(sizes[0]), try values.needed(sizes[1]))
        missing = values["nodata_value"]
        /// The centre of the first cell along one axis.
        func centre(_ axis: String, _ size: Double) throws(ImportRefusal) -> Double {
            if let centre = values["\(axis)llcenter"] { return centre }
            return try values.needed("\(axis)llcorner") + size / 2
        }
        (west, south) = (try centre("x", width), try centre("y", cellHeight))
        for (name, size) in zip(sizes, [width, cellHeight])
        where !(HeightGrid.smallestCell...HeightGrid.largestCell).contains(size) {
            throw values.fault(
                name,
                "cells must have \(HeightGrid.smallestCell) to \(HeightGrid.largestCell) degrees, "
                    + "not \(size): make the grid in WGS84 (gdalwarp -t_srs EPSG:4326)")
        }
        let (east, north) = (
            west + Double(columns - 1) * width, south + Double(rows - 1) * cellHeight
        )
        for (axis, isOnEarth) in [
            ("x", west >= -180 && east <= 180), ("y", south >= -90 && north <= 90),
        ] where !isOnEarth {
            let centre = "\(axis)llcenter"
            throw values.fault(
                values[centre] == nil ? "\(axis)llcorner" : centre,
                "its corners must be longitudes and latitudes: make the grid in WGS84 (gdalwarp "
                    + "-t_srs EPSG:4326)")
        }
    }

    /// A height in metres; not a number for a missing one.
    ///
    /// - Parameter number: the number of heights before it.
    func height(
        _ word: ArraySlice<UInt8>, number: Int, _ words: GridWords
    ) throws(ImportRefusal) -> Double {
        func place() -> String {
            "row \(number / columns + 1), column \(number % columns + 1)"
        }
        guard let height = GridWords.number(word) else {
            if GridWords.isMissing(word) { return .nan }
            throw words.fault("this is no height: \(shown(GridWords.text(word))) (\(place()))")
        }
        if height == missing { return .nan }
        guard HeightGrid.heights.contains(height) else {
            throw words.fault(
                "a height is \(height) m (\(place())); if it stands for a missing one, state it as "
                    + "NODATA_value")
        }
        return height
    }
}

/// The cosine of an angle in degrees.
func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
